import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addSf, type Sf, sfFromInt, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
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
import type { Placed } from '../lending/market-snapshot.ts';
import { createTokenLookup, type TokenPriceSource } from '../lending/token-prices.ts';
import { type RewardViewContext, undefinedOnCodedError } from '../rewards/farm-rewards.ts';
import {
  createVaultReserveLookup,
  type VaultReserve,
  type VaultReserveLookup,
  type VaultSource,
} from './vault-reserves.ts';

/** A vault's account in readable parts. */
export type VaultReport = Placed<VaultStateView> & {
  readonly program: Address;
  readonly name: string;
  /** Free places left out. */
  readonly allocations: readonly VaultAllocationView[];
};

export function viewVault(
  vault: Placed<VaultStateView> & { readonly program: Address },
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

/** Whether shares of the vault are what is staked in a farm: a vault's account can name any. */
export const isVaultShareFarm = (
  { sharesMint }: Pick<VaultStateView, 'sharesMint'>,
  { token }: Pick<FarmStateView, 'token'>,
): boolean => token.mint === sharesMint;

/** What vaults are looked at with; made once for any number of them, good for one moment of the state. */
export type VaultViewContext = RewardViewContext & {
  readonly reserves: VaultReserveLookup;
  readonly farm: VaultSource['farm'];
};

/** A vault with its reserves brought to the slot. Amounts are lamports of its token. */
export type VaultSnapshot = Placed<VaultStateView> & {
  readonly reserves: ReadonlyMap<Address, VaultReserve>;
  readonly holdings: VaultHoldings;
  /** Available and invested, the fees that it owes included. */
  readonly held: Sf;
  /** What belongs to the shares; zero where the vault owes more fees than it holds. */
  readonly aum: Sf;
  /** Whole tokens for a whole share. */
  readonly tokensPerShare: Ratio;
  /** USD for a whole token; undefined where no oracle has one. */
  readonly tokenPrice: Ratio | undefined;
};

export function createVaultViewContext(
  source: VaultSource,
  reserves: TokenPriceSource['reserves'],
): VaultViewContext {
  const prices = (feed: Address) => source.prices(feed);
  const tokens = createTokenLookup({ reserves, prices });
  const terms = { at: source.at(), slotMs: source.slotMs(), prices, tokens };
  return {
    ...terms,
    reserves: createVaultReserveLookup(source, terms),
    farm: (address) => source.farm(address),
  };
}

/** Undefined where a reserve that the vault lends to cannot be counted: no figure would be right without it. */
export function snapshotVault(
  { address, fields }: Placed<VaultStateView>,
  terms: VaultViewContext,
): VaultSnapshot | undefined {
  const reserves = new Map<Address, VaultReserve>();
  for (const allocation of usedAllocations(fields)) {
    const reserve = terms.reserves(allocation.reserve);
    if (reserve === undefined) return undefined;
    reserves.set(allocation.reserve, reserve);
  }
  const exchanges = new Map([...reserves].map(([key, { now }]) => [key, now.rate]));
  const holdings = undefinedOnCodedError(() => vaultHoldings(fields, exchanges));
  if (holdings === undefined) return undefined;
  const held = addSf(sfFromInt(holdings.available), holdings.investedTotal);
  const aum = held < fields.pendingFeesSf ? ZERO_SF : vaultAum(fields, holdings.investedTotal);
  return {
    address,
    fields,
    reserves,
    holdings,
    held,
    aum,
    tokensPerShare: tokensPerShare(fields, aum),
    tokenPrice: terms.tokens(fields.tokenMint)?.price ?? ownPrice(reserves),
  };
}

/** By the time they were made, then by address. */
export function sortByCreation<Vault extends Placed<VaultStateView>>(
  vaults: readonly Vault[],
): readonly Vault[] {
  return vaults
    .map((vault) => ({ vault, made: vault.fields.creationTimestamp }))
    .sort((a, b) => {
      if (a.made !== b.made) return a.made < b.made ? -1 : 1;
      return a.vault.address < b.vault.address ? -1 : 1;
    })
    .map(({ vault }) => vault);
}

/** A token that no listed market knows is worth what the vault's own reserves count with. */
function ownPrice(reserves: ReadonlyMap<Address, VaultReserve>): Ratio | undefined {
  return [...reserves.values()]
    .map(({ now }) => now.exactPrice)
    .find(({ numerator }) => numerator > 0n);
}
