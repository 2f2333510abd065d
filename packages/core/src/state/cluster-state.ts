import type { Address } from '../base/encoding/address.ts';
import type { Elements } from '../base/encoding/layout.ts';
import type { Ratio } from '../base/numbers/decimal.ts';
import type { RawAccount } from '../base/solana/account.ts';
import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '../base/time.ts';
import type { UserStateView } from '../protocol/farms/layout/user-state.ts';
import type { ObligationView } from '../protocol/klend/layout/obligation.ts';
import { NEWEST_RULES, type RulesAt } from '../protocol/releases/program-rules.ts';
import type { DatedPriceView } from '../protocol/scope/layout/oracle-prices.ts';
import {
  type AccountKind,
  identifyAccount,
  NO_ACCOUNT,
  type StatePart,
  storedKind,
} from './account-kinds.ts';
import type { AccountSelection, AccountStore, StoredAccountBytes } from './account-store.ts';
import { createAccountStores } from './account-stores.ts';
import { type AddressKey, addressKey } from './address-key.ts';
import { createCachedGrouping } from './cached-grouping.ts';
import { type ClusterReader, DEFAULT_SLOT_MS } from './cluster-reader.ts';
import type { WalkVisitor } from './packed-walk.ts';
import { RowCopies } from './row-copies.ts';
import type { AccountStateUpdate, StateOptions, StateStatistics } from './state-options.ts';
import { StateVersions } from './state-versions.ts';
import { Tombstones } from './tombstones.ts';
import { UnknownValues } from './unknown-values.ts';
import { type UnreadableAccount, UnreadableAccounts } from './unreadable-accounts.ts';

const OWNER_KEY = 0;
const DELEGATEE_KEY = 1;

/** Above every slot that a chain can reach. */
const MAX_SLOT = toSlot(2n ** 64n);

/**
 * The current state of one cluster. Readers use `ClusterReader`; the indexer writes. For each account the newest slot wins,
 * regardless of arrival order; among equal slots the last write wins.
 */
export class ClusterState implements ClusterReader {
  readonly #stores = createAccountStores();
  readonly unreadable: UnreadableAccounts;
  readonly unknownValues = new UnknownValues();
  readonly #kinds = Object.keys(this.#stores) as AccountKind[];
  readonly #reservesByMarket = createCachedGrouping(
    () => this.#stores.reserve.all(),
    ({ fields: { lendingMarket } }) => lendingMarket,
  );
  readonly #vaultsByShares = createCachedGrouping(
    () => this.#stores.vault.all(),
    ({ fields: { sharesMint } }) => sharesMint,
  );
  readonly #ticketsByReserve = createCachedGrouping(
    () => this.#stores.withdrawTicket.all(),
    ({ fields }) => fields.reserve,
  );
  readonly #ticketsByOwner = createCachedGrouping(
    () => this.#stores.withdrawTicket.all(),
    ({ fields }) => fields.owner,
  );
  readonly #tombstones = new Tombstones();
  readonly rulesAt: RulesAt;
  readonly #onChange: StateOptions['onChange'];
  readonly #onForget: StateOptions['onForget'];
  #at: ChainTime = { slot: toSlot(0n), unix: toUnixSeconds(0n) };
  #slotMs = DEFAULT_SLOT_MS;
  readonly #versions = new StateVersions();
  /** What another state takes over at once. */
  readonly copies = new RowCopies({
    ...{ stores: this.#stores, versions: this.#versions, unknownValues: this.unknownValues },
    apply: (update) => this.apply(update),
  });

  constructor({ log, onChange, onForget, rulesAt = () => NEWEST_RULES }: StateOptions) {
    this.rulesAt = rulesAt;
    this.unreadable = new UnreadableAccounts(log);
    this.#onChange = onChange;
    this.#onForget = onForget;
  }

  /** Returns whether anything changed. The state takes ownership of the bytes. */
  apply({ address, account, slot, onlyKind }: AccountStateUpdate): boolean {
    const key = addressKey(address);
    const oldKind = this.#kindOf(key);
    const store: AccountStore | undefined = oldKind && this.#stores[oldKind];
    const known =
      store?.slotOf(key) ?? this.unreadable.slotOf(address) ?? this.#tombstones.slotOf(address);
    if (known === undefined ? this.#tombstones.isForgotten(slot) : slot < known) return false;

    const identity = account === undefined ? NO_ACCOUNT : identifyAccount(account);
    const newKind = storedKind(identity);
    const target: AccountStore | undefined = newKind && this.#stores[newKind];
    const typeStore = identity.kind === 'unreadable' ? this.#stores[identity.type] : target;
    if (onlyKind !== undefined && (store ?? typeStore) !== this.#stores[onlyKind]) return false;
    if (store !== undefined && store !== target) {
      store.remove(key);
      this.#versions.count(oldKind);
    }
    let isVisible = true;
    if (account === undefined || target === undefined) {
      this.#tombstones.add(address, slot);
    } else {
      const version = newKind && this.#versions.of(newKind) + 1;
      const { owner, data } = account;
      isVisible = target.put({ key, slot, owner, data, ...(version && { version }) });
      if (isVisible) this.#versions.count(newKind);
      this.#tombstones.delete(address);
    }
    const unreadable = this.unreadable.update(address, account, { identity, slot });
    for (const kind of unreadable) this.#versions.count(kind);
    if (isVisible) this.unknownValues.update(address, account, { identity, slot });
    this.#versions.count();
    const change = { slot, isVisible, received: account };
    this.#onChange?.(address, target === undefined ? undefined : account, change);
    return true;
  }

  /** Whether readers would see no difference after `apply` of this account. */
  holds(address: Address, account: RawAccount): boolean {
    const kind = storedKind(identifyAccount(account));
    return kind !== undefined && this.#stores[kind].holds({ key: addressKey(address), ...account });
  }

  /** The bytes of an account that is stored. */
  stored(address: Address): StoredAccountBytes | undefined {
    const kind = this.#kindOf(addressKey(address));
    return kind && this.#stores[kind].read(addressKey(address));
  }

  /** The kind of an account that is stored, or known to be unreadable. */
  kindOf(address: Address): AccountKind | undefined {
    return this.#kindOf(addressKey(address)) ?? this.unreadable.get(address)?.kind;
  }

  /** The slot of an account that is stored, or known to be unreadable. */
  slotOf(address: Address): Slot | undefined {
    const kind = this.#kindOf(addressKey(address));
    return kind ? this.#stores[kind].slotOf(addressKey(address)) : this.unreadable.slotOf(address);
  }

  /** Accounts stored with an older slot. With `except`, those that were read at the slot, also others of that slot. */
  findOlder(kind: AccountKind, selection: AccountSelection, slot: Slot): Address[] {
    const before = selection.except === undefined ? slot : toSlot(slot + 1n);
    const unreadable = this.unreadable.olderThan(before, kind, selection);
    return [...this.#stores[kind].olderThan(before, selection), ...unreadable];
  }

  /** Removes accounts that are no longer subscribed, whether or not they exist. */
  forget(kind: AccountKind, selection: AccountSelection): void {
    const store = this.#stores[kind];
    for (const address of store.olderThan(MAX_SLOT, selection)) {
      store.remove(addressKey(address));
      this.unknownValues.delete(address);
      this.#onForget?.(address);
    }
    for (const address of this.unreadable.olderThan(MAX_SLOT, kind, selection)) {
      this.unreadable.delete(address);
      this.#onForget?.(address);
    }
    this.#versions.count(kind);
  }

  /** Removes one account as `forget` does. */
  forgetAccount(address: Address): void {
    const kind = this.kindOf(address);
    if (kind === undefined) return;
    this.#stores[kind].remove(addressKey(address));
    this.unreadable.delete(address);
    this.unknownValues.delete(address);
    this.#versions.count(kind);
  }

  /** All readable accounts, or those of some kinds. The state may change between two: then some are missing or newer. */
  *accounts(kinds: readonly AccountKind[] = this.#kinds): Iterable<StoredAccountBytes> {
    for (const kind of kinds) yield* this.#stores[kind].accounts();
  }

  /** All loans, or stakes, a part at a time, while they change. */
  walkObligations = (visitor: WalkVisitor<ObligationView>) => this.#stores.obligation.walk(visitor);
  walkFarmUsers = (visitor: WalkVisitor<UserStateView>) => this.#stores.farmUser.walk(visitor);

  /** Addresses of some readable accounts of a kind at random. `random`: from 0 up to 1. */
  sample = (kind: AccountKind, count: number, random: () => number): Address[] =>
    this.#stores[kind].sample(count, random);

  /** Adds an account of another state that cannot be decoded. */
  addUnreadable(account: UnreadableAccount, slot: Slot): void {
    this.unreadable.put(account, slot);
    this.#versions.count(account.kind);
  }

  setAt(at: ChainTime): void {
    this.#at = at;
    this.#tombstones.forgetOld(at.slot);
    this.#versions.count('slot');
  }

  /** Call it when `rulesAt` has other rules: what was computed with the former ones is no longer valid. */
  countNewRules(): void {
    this.#versions.countAll();
  }

  setSlotMs(slotMs: Ratio): void {
    const { numerator, denominator } = this.#slotMs;
    const isSame = slotMs.numerator === numerator && slotMs.denominator === denominator;
    this.#slotMs = slotMs;
    this.#versions.count(isSame ? undefined : 'slotDuration');
  }

  /** Whether every token account of a share mint is subscribed. */
  setSharesComplete(sharesMint: Address, complete: boolean): void {
    this.#stores.shares.setComplete(sharesMint, complete);
    this.#versions.count('shares');
  }

  /** Share mints whose token accounts are all subscribed. */
  completeShareMints = (): readonly Address[] => this.#stores.shares.completeMints();

  version = (): number => this.#versions.all;
  versionOf = (part: StatePart): number => this.#versions.of(part);
  at = (): ChainTime => this.#at;
  slotMs = (): Ratio => this.#slotMs;

  markets = () => this.#stores.market.all();
  market = (address: Address) => this.#stores.market.get(address);
  reserves = () => this.#stores.reserve.all();
  reserve = (address: Address) => this.#stores.reserve.get(address);
  reservesOf = (market: Address) => this.#reservesByMarket(market);

  obligation = (address: Address) => this.#stores.obligation.get(address);
  obligationsOf = (owner: Address) => this.#stores.obligation.withKey(OWNER_KEY, owner);
  obligationsIn = (market: Address, after?: number) =>
    this.#stores.obligation.inGroup(market, after);

  withdrawTicketsIn = (reserve: Address) => this.#ticketsByReserve(reserve);
  withdrawTicketsOf = (owner: Address) => this.#ticketsByOwner(owner);

  vaults = () => this.#stores.vault.all();
  vault = (address: Address) => this.#stores.vault.get(address);
  vaultOfShares = (sharesMint: Address) => this.#vaultsByShares(sharesMint)[0];
  shareBalances = (sharesMint: Address) => this.#stores.shares.balances(sharesMint);
  shareBalance = (sharesMint: Address, owner: Address) =>
    this.#stores.shares.balance(sharesMint, owner);
  shareOwners = (sharesMint: Address) => this.#stores.shares.owners(sharesMint);
  /** The sum over all stored token accounts of the mint. */
  shareTotal = (sharesMint: Address) => this.#stores.shares.total(sharesMint);

  farms = () => this.#stores.farm.all();
  farm = (address: Address) => this.#stores.farm.get(address);
  farmsConfig = (address: Address) => this.#stores.farmsConfig.get(address)?.fields;
  farmUser = (farm: Address, delegatee: Address) =>
    this.#stores.farmUser
      .withKey(DELEGATEE_KEY, delegatee)
      .find(({ fields }) => fields.farmState === farm);
  farmUserAt = (address: Address) => this.#stores.farmUser.get(address);
  farmUsersOf = (owner: Address) => this.#stores.farmUser.withKey(OWNER_KEY, owner);
  farmUsersIn = (farm: Address) => this.#stores.farmUser.inGroup(farm);

  lookupTable = (address: Address) => this.#stores.lookupTable.get(address);
  lookupTables = () => this.#stores.lookupTable.all();

  prices(feed: Address): Elements<DatedPriceView> | undefined {
    return this.#stores.prices.get(feed)?.fields.prices;
  }

  /** For `/status` and the metrics. */
  statistics(): StateStatistics {
    const { count: obligations, byteLength: obligationBytes } = this.#stores.obligation;
    const { count: farmUsers, byteLength: farmUserBytes } = this.#stores.farmUser;
    const unreadable = this.unreadable.count;
    return { obligations, obligationBytes, farmUsers, farmUserBytes, unreadable };
  }

  /** The kind as which an account is stored. */
  #kindOf(key: AddressKey): AccountKind | undefined {
    return this.#kinds.find((kind) => this.#stores[kind].slotOf(key) !== undefined);
  }
}
