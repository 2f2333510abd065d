import type { Address } from '../base/encoding/address.ts';
import type { Elements } from '../base/encoding/layout.ts';
import type { Ratio } from '../base/numbers/decimal.ts';
import type { ChainTime } from '../base/time.ts';
import type { FarmStateView } from '../protocol/farms/layout/farm-state.ts';
import type { GlobalConfigView as FarmsConfigView } from '../protocol/farms/layout/global-config.ts';
import type { UserStateView } from '../protocol/farms/layout/user-state.ts';
import type { LendingMarketView } from '../protocol/klend/layout/lending-market.ts';
import type { ObligationView } from '../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../protocol/klend/layout/reserve.ts';
import type { VaultStateView } from '../protocol/kvault/layout/vault-state.ts';
import type { DatedPriceView } from '../protocol/scope/layout/oracle-prices.ts';
import type { AddressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';

/** An account in state: where it lies, which program keeps it, and its fields, read when asked. */
export type StoredAccount<Fields> = {
  readonly address: Address;
  readonly program: Address;
  readonly fields: Fields;
};

/** The same with all of its bytes, for the few kinds of which they are kept. */
export type StoredAccountWithData<Fields> = StoredAccount<Fields> & { readonly data: Uint8Array };

/** Shares of a vault that a wallet holds in its associated token account. */
export type ShareBalance = { readonly owner: Address; readonly amount: bigint };

/**
 * The present of one cluster, in memory. Reading is synchronous and consistent: it changes only between two
 * turns of the event loop. Fields are views; use them at once, do not keep them.
 */
export type ClusterReader = {
  /** Goes up with every change; an answer made of this state is good while it stays. */
  version(): number;
  /** The newest slot that state is complete for, and its time. */
  at(): ChainTime;
  /** How long slots took lately. */
  slotMs(): Ratio;

  markets(): readonly StoredAccountWithData<LendingMarketView>[];
  market(address: Address): StoredAccountWithData<LendingMarketView> | undefined;
  reserve(address: Address): StoredAccountWithData<ReserveView> | undefined;
  /** By address. */
  reservesOf(market: Address): readonly StoredAccountWithData<ReserveView>[];

  obligation(address: Address): StoredAccount<ObligationView> | undefined;
  obligationsOf(owner: Address): readonly StoredAccount<ObligationView>[];
  /** Every obligation of a market; its fields are read before the next one is asked for. */
  obligationsIn(market: Address): Iterable<StoredAccount<ObligationView>>;

  vaults(): readonly StoredAccountWithData<VaultStateView>[];
  vault(address: Address): StoredAccountWithData<VaultStateView> | undefined;
  vaultOfShares(sharesMint: Address): StoredAccountWithData<VaultStateView> | undefined;
  /** Wallets with shares in their associated account, more than none. */
  shareBalances(sharesMint: Address): readonly ShareBalance[];
  shareBalance(sharesMint: Address, owner: Address): bigint;
  /** Of all token accounts of the mint that hold some: how many owners. Undefined where they cannot be known. */
  shareOwners(sharesMint: Address): readonly Address[] | undefined;

  farm(address: Address): StoredAccountWithData<FarmStateView> | undefined;
  farmsConfig(address: Address): FarmsConfigView | undefined;
  farmUser(farm: Address, delegatee: Address): StoredAccount<UserStateView> | undefined;
  farmUserAt(address: Address): StoredAccount<UserStateView> | undefined;
  farmUsersOf(owner: Address): readonly StoredAccount<UserStateView>[];
  farmUsersIn(farm: Address): Iterable<StoredAccount<UserStateView>>;

  /** One that a vault or the registry names. */
  lookupTable(address: Address): StoredAccount<AddressLookupTable> | undefined;
  /** By address. */
  lookupTables(): readonly StoredAccount<AddressLookupTable>[];

  /** Entries of a price account. */
  prices(feed: Address): Elements<DatedPriceView> | undefined;
};
