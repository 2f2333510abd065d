import type { Address } from '../base/encoding/address.ts';
import type { Elements } from '../base/encoding/layout.ts';
import type { Ratio } from '../base/numbers/decimal.ts';
import type { ChainTime, Slot } from '../base/time.ts';
import type { FarmStateView } from '../protocol/farms/layout/farm-state.ts';
import type { GlobalConfigView as FarmsConfigView } from '../protocol/farms/layout/global-config.ts';
import type { UserStateView } from '../protocol/farms/layout/user-state.ts';
import type { LendingMarketView } from '../protocol/klend/layout/lending-market.ts';
import type { ObligationView } from '../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../protocol/klend/layout/reserve.ts';
import type { WithdrawTicketView } from '../protocol/klend/layout/withdraw-ticket.ts';
import type { VaultStateView } from '../protocol/kvault/layout/vault-state.ts';
import type { ProgramRules } from '../protocol/releases/program-rules.ts';
import type { DatedPriceView } from '../protocol/scope/layout/oracle-prices.ts';
import type { AddressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import type { StatePart } from './account-kinds.ts';
import type { UnknownValueReader } from './unknown-values.ts';
import type { UnreadableAccountReader } from './unreadable-accounts.ts';

/** The slot duration of a cluster that nobody has measured yet. */
export const DEFAULT_SLOT_MS: Ratio = { numerator: 400n, denominator: 1n };

/** A stored account: its address, its program, and its lazily decoded fields. */
export type StoredAccount<Fields> = {
  readonly address: Address;
  readonly program: Address;
  readonly fields: Fields;
};

/** Also has the raw data, which is stored for a few account kinds. */
export type StoredAccountWithData<Fields> = StoredAccount<Fields> & { readonly data: Uint8Array };

/** A wallet's vault shares in its associated token account. */
export type ShareBalance = { readonly owner: Address; readonly amount: bigint };

/**
 * The current state of one cluster, in memory. Reads are synchronous and consistent: the state
 * changes only between two turns of the event loop. Fields are views: use them at once, do not
 * retain them.
 */
export type ClusterReader = {
  /** Increases with every change; a response stays valid while the version does not change. */
  version(): number;
  /** Increases with every change of this part: content of accounts of a kind, readable or not. */
  versionOf(part: StatePart): number;
  /** The newest complete slot, and its time. */
  at(): ChainTime;
  /** The recent average slot duration, or `DEFAULT_SLOT_MS` until it is measured. */
  slotMs(): Ratio;
  /** The rules of the programs that the cluster ran in the slot. */
  rulesAt(slot: Slot): ProgramRules;
  /** Accounts of stored types that cannot be decoded. No other method returns them. */
  readonly unreadable: UnreadableAccountReader;
  /** Bytes and values of stored accounts that their layouts do not know. */
  readonly unknownValues: UnknownValueReader;

  markets(): readonly StoredAccountWithData<LendingMarketView>[];
  market(address: Address): StoredAccountWithData<LendingMarketView> | undefined;
  reserve(address: Address): StoredAccountWithData<ReserveView> | undefined;
  /** Sorted by address. */
  reservesOf(market: Address): readonly StoredAccountWithData<ReserveView>[];

  obligation(address: Address): StoredAccount<ObligationView> | undefined;
  obligationsOf(owner: Address): readonly StoredAccount<ObligationView>[];
  /**
   * All obligations of a market. Each is valid only until the next iteration. `after`: only those that changed after this
   * version (`versionOf('obligation')`).
   */
  obligationsIn(market: Address, after?: number): Iterable<StoredAccount<ObligationView>>;

  /** Tickets of a reserve's withdraw queue, also those that could not be paid. Sorted by address. */
  withdrawTicketsIn(reserve: Address): readonly StoredAccount<WithdrawTicketView>[];
  withdrawTicketsOf(owner: Address): readonly StoredAccount<WithdrawTicketView>[];

  vaults(): readonly StoredAccountWithData<VaultStateView>[];
  vault(address: Address): StoredAccountWithData<VaultStateView> | undefined;
  vaultOfShares(sharesMint: Address): StoredAccountWithData<VaultStateView> | undefined;
  /** Wallets with a non-zero balance in their associated token account. */
  shareBalances(sharesMint: Address): readonly ShareBalance[];
  shareBalance(sharesMint: Address, owner: Address): bigint;
  /** Owners of all token accounts with a balance; undefined unless all accounts are subscribed. */
  shareOwners(sharesMint: Address): readonly Address[] | undefined;

  farm(address: Address): StoredAccountWithData<FarmStateView> | undefined;
  farmsConfig(address: Address): FarmsConfigView | undefined;
  farmUser(farm: Address, delegatee: Address): StoredAccount<UserStateView> | undefined;
  farmUserAt(address: Address): StoredAccount<UserStateView> | undefined;
  farmUsersOf(owner: Address): readonly StoredAccount<UserStateView>[];
  farmUsersIn(farm: Address): Iterable<StoredAccount<UserStateView>>;

  /** A lookup table that a vault or the registry references. */
  lookupTable(address: Address): StoredAccount<AddressLookupTable> | undefined;
  /** Sorted by address. */
  lookupTables(): readonly StoredAccount<AddressLookupTable>[];

  /** The entries of a Scope price account. */
  prices(feed: Address): Elements<DatedPriceView> | undefined;
};
