import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { quoteName } from '../../base/encoding/foreign-text.ts';
import { CodedError } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import { isDelegated } from '../../protocol/farms/math/issuance.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import { usedAllocations } from '../../protocol/kvault/math/holdings.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { unreadableError } from '../../views/lending/unavailable-figures.ts';
import { isVaultShareFarm, vaultName } from '../../views/vaults/vault-snapshot.ts';
import type { LookupTable } from '../build.ts';
import { reserveSymbol } from '../lending/lending-action-context.ts';
import { toUsableLookupTables } from '../lending/lending-lookup-tables.ts';
import { requireReadableAccount } from '../require-readable.ts';
import { isWrappedSol, type WalletToken } from '../wallet/token-accounts.ts';

/** A vault and the acting wallet. */
export type VaultActionContext = {
  readonly wallet: Address;
  readonly vault: StoredAccountWithData<VaultStateView>;
  /** Display name. */
  readonly name: string;
  /** Symbol of the vault's token. */
  readonly symbol: string;
  /** In the order of the vault's allocations. */
  readonly reserves: readonly VaultLendingReserve[];
  readonly token: WalletToken & { readonly decimals: number };
  readonly shares: WalletToken & { readonly decimals: number };
  /** The farm in which shares can be staked. */
  readonly farm: StoredAccountWithData<FarmStateView> | undefined;
};

/** A reserve that the vault lends to, and the vault's cToken account. */
export type VaultLendingReserve = StoredAccountWithData<ReserveView> & {
  readonly ctokenVault: Address;
};

type WalletVault = { readonly wallet: Address; readonly vault: Address };

export function createVaultActionContext(
  { wallet, vault: address }: WalletVault,
  state: ClusterReader,
): VaultActionContext {
  const vault = requireVault(address, state);
  const { fields } = vault;
  const reserves = usedAllocations(fields).map(({ reserve, ctokenVault }) => ({
    ...requireReserve(reserve, state),
    ctokenVault,
  }));
  const name = quoteName(vaultName(fields)) || address;
  const mint = fields.tokenMint;
  const symbol = tokenSymbolOfReserves(mint, reserves);
  return {
    wallet,
    vault,
    name,
    symbol,
    reserves,
    token: {
      wallet,
      mint,
      tokenProgram: fields.tokenProgram,
      label: isWrappedSol({ mint }) ? 'wrapped SOL' : symbol,
      decimals: Number(fields.tokenMintDecimals),
    },
    shares: {
      wallet,
      mint: fields.sharesMint,
      tokenProgram: TOKEN_PROGRAM,
      label: `shares of ${name}`,
      decimals: Number(fields.sharesMintDecimals),
    },
    farm: stakingFarm(fields, state),
  };
}

export function requireVault(
  address: Address,
  state: ClusterReader,
): StoredAccountWithData<VaultStateView> {
  requireReadableAccount(state, address);
  const vault = state.vault(address);
  if (vault === undefined) throw new CodedError('KVAULT_NOT_FOUND', { vault: address });
  return vault;
}

/** The symbol from the reserves; the mint if none of them lends it. */
export function tokenSymbolOfReserves(
  mint: Address,
  reserves: readonly StoredAccountWithData<ReserveView>[],
): string {
  if (isWrappedSol({ mint })) return 'SOL';
  const reserve = reserves.find(({ fields }) => fields.liquidity.mintPubkey === mint);
  return reserve === undefined ? mint : reserveSymbol(reserve.fields);
}

export const formatVaultTokens = ({ token, symbol }: VaultActionContext, amount: bigint): string =>
  `${formatUnits(amount, token.decimals)} ${symbol}`;

export const formatVaultShares = ({ shares }: VaultActionContext, amount: bigint): string =>
  `${formatUnits(amount, shares.decimals)} shares`;

export function vaultLookupTables(
  { vault }: VaultActionContext,
  state: ClusterReader,
): LookupTable[] {
  const address = vault.fields.vaultLookupTable;
  return toUsableLookupTables(address, state.lookupTable(address)?.fields, { state });
}

/**
 * Undefined if the farm is not a share farm of the vault, or is delegated: nobody stakes there
 * directly.
 */
function stakingFarm(
  vault: VaultStateView,
  state: ClusterReader,
): StoredAccountWithData<FarmStateView> | undefined {
  if (vault.vaultFarm === ZERO_ADDRESS) return undefined;
  requireReadableAccount(state, vault.vaultFarm);
  const farm = state.farm(vault.vaultFarm);
  if (farm === undefined || !isVaultShareFarm(vault, farm.fields)) return undefined;
  return isDelegated(farm.fields) ? undefined : farm;
}

/** Every vault instruction lists all reserves and their markets. */
function requireReserve(
  address: Address,
  state: ClusterReader,
): StoredAccountWithData<ReserveView> {
  requireReadableAccount(state, address);
  const reserve = state.reserve(address);
  if (reserve === undefined) throw unreadableError(address, 'no such reserve is known');
  const { lendingMarket } = reserve.fields;
  requireReadableAccount(state, lendingMarket);
  if (state.market(lendingMarket) === undefined) {
    throw unreadableError(lendingMarket, 'no such market is known');
  }
  return reserve;
}
