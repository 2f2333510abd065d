import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { addSf, type Sf, sfFromInt, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { CTokenExchangeRate } from '../../protocol/klend/math/exact-ratio.ts';
import type {
  VaultAllocationView,
  VaultStateView,
} from '../../protocol/kvault/layout/vault-state.ts';
import {
  usedAllocations,
  type VaultHoldings,
  vaultAum,
  vaultHoldings,
} from '../../protocol/kvault/math/holdings.ts';
import { tokensPerShare } from '../../protocol/kvault/math/shares.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import {
  createTokenLookup,
  currentPrices,
  type TokenPriceSource,
} from '../lending/token-prices.ts';
import { computeFigure } from '../lending/unavailable-figures.ts';
import { type RewardViewContext, undefinedOnCodedError } from '../rewards/farm-rewards.ts';
import {
  createVaultReserveReader,
  readFarm,
  type VaultReserve,
  type VaultReserveLookup,
  type VaultReserveReader,
  type VaultSource,
} from './vault-reserves.ts';

/** A decoded vault account. */
export type VaultReport = AddressedAccount<VaultStateView> & {
  readonly program: Address;
  readonly name: string;
  /** Without unused slots. */
  readonly allocations: readonly VaultAllocationView[];
};

export function viewVault(
  vault: AddressedAccount<VaultStateView> & { readonly program: Address },
): VaultReport {
  const { address, program, fields } = vault;
  return {
    address,
    program,
    fields,
    name: vaultName(fields),
    allocations: usedAllocations(fields),
  };
}

export const vaultName = ({ name }: Pick<VaultStateView, 'name'>): string => bytesToText(name);

/** Whether a farm stakes shares of the vault: a vault's account can name any farm. */
export const isVaultShareFarm = (
  { sharesMint }: Pick<VaultStateView, 'sharesMint'>,
  { token }: Pick<FarmStateView, 'token'>,
): boolean => token.mint === sharesMint;

/** Shared inputs of vault views, created once per state version. */
export type VaultViewContext = RewardViewContext & {
  readonly reserves: VaultReserveLookup;
  readonly requireReserve: VaultReserveReader;
  /** Throws ACCOUNT_UNREADABLE for a farm that cannot be decoded. */
  readonly farm: VaultSource['farm'];
};

const NO_LISTED_PRICE = 'no listed market has a valid price of it';

/** A vault with its reserves refreshed to the slot. Amounts are lamports of its token. */
export type VaultSnapshot = AddressedAccount<VaultStateView> & {
  /** Without unavailable reserves of empty allocations. */
  readonly reserves: ReadonlyMap<Address, VaultReserve>;
  readonly holdings: VaultHoldings;
  /** Available and invested tokens, including pending fees. */
  readonly totalHoldings: Sf;
  /** Net assets of the shares; zero if pending fees exceed the holdings. */
  readonly aum: Sf;
  /** Whole tokens per whole share. */
  readonly tokensPerShare: Ratio;
  /** USD per whole token; undefined if no listed market has a price. */
  readonly tokenPrice: Ratio | undefined;
};

export function createVaultViewContext(
  source: VaultSource,
  listedReserves: TokenPriceSource['listedReserves'],
): VaultViewContext {
  const { at, prices, rules } = currentPrices(source);
  const tokens = createTokenLookup({ listedReserves, prices, at, rules });
  const context = { at, slotMs: source.slotMs(), prices, tokens };
  const requireReserve = createVaultReserveReader(source, context);
  return {
    ...context,
    reserves: (address) => undefinedOnCodedError(() => requireReserve(address)),
    requireReserve,
    farm: (address) => readFarm(source, address),
  };
}

/** Undefined if a reserve of the vault is unavailable: every figure would be wrong without it. */
export const snapshotVault = (
  vault: AddressedAccount<VaultStateView>,
  context: VaultViewContext,
): VaultSnapshot | undefined => undefinedOnCodedError(() => computeVaultSnapshot(vault, context));

/** An allocation without tokens and weight contributes nothing, whatever its reserve is. */
const isEmptyAllocation = (allocation: VaultAllocationView): boolean =>
  allocation.ctokenAllocation === 0n && allocation.targetAllocationWeight === 0n;

/** The rate of a reserve that has issued nothing. */
const NO_CTOKENS: CTokenExchangeRate = { totalSupply: ZERO_SF, mintTotalSupply: 0n };

/** The supply rates of all allocations; zero where an empty one has no available reserve. */
export const supplyAprs = ({ fields, reserves }: VaultSnapshot): ReadonlyMap<Address, Ratio> =>
  new Map(
    usedAllocations(fields).map(({ reserve }) => [
      reserve,
      reserves.get(reserve)?.rates.supplyApr ?? ZERO_RATIO,
    ]),
  );

/** Throws the reason if a reserve of the vault is unavailable, except that of an empty allocation. */
export function computeVaultSnapshot(
  { address, fields }: AddressedAccount<VaultStateView>,
  context: VaultViewContext,
): VaultSnapshot {
  const reserves = new Map<Address, VaultReserve>();
  const exchanges = new Map<Address, CTokenExchangeRate>();
  for (const allocation of usedAllocations(fields)) {
    const { reserve: key } = allocation;
    const reserve = isEmptyAllocation(allocation)
      ? context.reserves(key)
      : context.requireReserve(key);
    if (reserve !== undefined) reserves.set(key, reserve);
    exchanges.set(key, reserve?.snapshot.rate ?? NO_CTOKENS);
  }
  const holdings = computeFigure(address, () => vaultHoldings(fields, exchanges));
  const totalHoldings = addSf(sfFromInt(holdings.available), holdings.investedTotal);
  const aum =
    totalHoldings < fields.pendingFeesSf ? ZERO_SF : vaultAum(fields, holdings.investedTotal);
  return {
    address,
    fields,
    reserves,
    holdings,
    totalHoldings,
    aum,
    tokensPerShare: tokensPerShare(fields, aum),
    tokenPrice: context.tokens(fields.tokenMint)?.price,
  };
}

/** Also throws PRICE_UNAVAILABLE if no listed market has a price of the vault's token. */
export function computePricedVault(
  vault: AddressedAccount<VaultStateView>,
  context: VaultViewContext,
): VaultSnapshot {
  const snapshot = computeVaultSnapshot(vault, context);
  if (snapshot.tokenPrice !== undefined) return snapshot;
  const mint = vault.fields.tokenMint;
  throw new CodedError('PRICE_UNAVAILABLE', { mint, reason: NO_LISTED_PRICE });
}

/** Sorts by creation time, then by address. */
export function sortByCreation<Vault extends AddressedAccount<VaultStateView>>(
  vaults: readonly Vault[],
): readonly Vault[] {
  return vaults
    .map((vault) => ({ vault, createdAt: vault.fields.creationTimestamp }))
    .sort((a, b) => {
      if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
      return a.vault.address < b.vault.address ? -1 : 1;
    })
    .map(({ vault }) => vault);
}
