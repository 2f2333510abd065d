import type { Address } from '../base/encoding/address.ts';
import type { Elements } from '../base/encoding/layout.ts';
import type { Logger } from '../base/logger.ts';
import type { Ratio } from '../base/numbers/decimal.ts';
import type { RawAccount } from '../base/solana/account.ts';
import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '../base/time.ts';
import { farmState } from '../protocol/farms/layout/farm-state.ts';
import { globalConfig } from '../protocol/farms/layout/global-config.ts';
import { userState } from '../protocol/farms/layout/user-state.ts';
import { lendingMarket } from '../protocol/klend/layout/lending-market.ts';
import { obligation } from '../protocol/klend/layout/obligation.ts';
import { reserve } from '../protocol/klend/layout/reserve.ts';
import { vaultState } from '../protocol/kvault/layout/vault-state.ts';
import { type DatedPriceView, oraclePrices } from '../protocol/scope/layout/oracle-prices.ts';
import { addressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import { type AccountKind, identifyAccount } from './account-kinds.ts';
import type { AccountSelection, AccountStore } from './account-store.ts';
import { type AddressKey, addressKey } from './address-key.ts';
import { createCachedGrouping } from './cached-grouping.ts';
import type { ClusterReader } from './cluster-reader.ts';
import { PackedAccountStore } from './packed-account-store.ts';
import { RawAccountStore } from './raw-account-store.ts';
import { ShareAccountStore } from './share-account-store.ts';
import { Tombstones } from './tombstones.ts';
import { UnreadableAccounts } from './unreadable-accounts.ts';

/** An account as of a slot; undefined where it does not exist. */
export type AccountStateUpdate = {
  readonly address: Address;
  readonly account: RawAccount | undefined;
  readonly slot: Slot;
  /** What it is followed for: an account that is, or is held as, anything else is left alone. */
  readonly only?: AccountKind | undefined;
};

type StateOptions = {
  readonly log: Logger;
  /** An account is now like that, or is not held any more. The bytes are to be read at once, or never changed. */
  readonly onChange?: (address: Address, account: RawAccount | undefined) => void;
};

const OWNER_KEY = 0;
const DELEGATEE_KEY = 1;

/** Above every slot that a chain will reach. */
const NEVER = toSlot(2n ** 64n);

/** Two and a half slots a second: what a cluster aims at, until it was measured. */
const USUAL_SLOT_MS: Ratio = { numerator: 400n, denominator: 1n };

/**
 * The present of one cluster. Whoever reads sees a `ClusterReader`; the indexer writes. Of an account the
 * newest slot wins, in whatever order its states arrive, and among equal slots the last one written.
 */
export class ClusterState implements ClusterReader {
  readonly #markets = new RawAccountStore(lendingMarket);
  readonly #reserves = new RawAccountStore(reserve);
  readonly #vaults = new RawAccountStore(vaultState);
  readonly #farms = new RawAccountStore(farmState);
  readonly #farmsConfigs = new RawAccountStore(globalConfig);
  readonly #prices = new RawAccountStore(oraclePrices);
  readonly #lookupTables = new RawAccountStore({ view: addressLookupTable.decode });
  readonly #shares = new ShareAccountStore();
  readonly #obligations = new PackedAccountStore({
    account: obligation,
    group: 'lendingMarket',
    keys: ['owner'],
  });
  readonly #farmUsers = new PackedAccountStore({
    account: userState,
    group: 'farmState',
    keys: ['owner', 'delegatee'],
  });
  readonly #holdings: { readonly [Kind in AccountKind]: AccountStore } = {
    obligation: this.#obligations,
    farmUser: this.#farmUsers,
    shares: this.#shares,
    reserve: this.#reserves,
    prices: this.#prices,
    vault: this.#vaults,
    farm: this.#farms,
    market: this.#markets,
    farmsConfig: this.#farmsConfigs,
    lookupTable: this.#lookupTables,
  };
  readonly #allHoldings = Object.values(this.#holdings);
  readonly #reservesByMarket = createCachedGrouping(
    () => this.#reserves.all(),
    ({ fields }) => fields.lendingMarket,
  );
  readonly #vaultsByShares = createCachedGrouping(
    () => this.#vaults.all(),
    ({ fields }) => fields.sharesMint,
  );
  readonly #closings = new Tombstones();
  readonly #unreadable: UnreadableAccounts;
  readonly #onChange: StateOptions['onChange'];
  #at: ChainTime = { slot: toSlot(0n), unix: toUnixSeconds(0n) };
  #slotMs = USUAL_SLOT_MS;
  #version = 0;

  constructor({ log, onChange }: StateOptions) {
    this.#unreadable = new UnreadableAccounts(log);
    this.#onChange = onChange;
  }

  /** Whether it changed anything. The bytes belong to state from here on. */
  apply({ address, account, slot, only }: AccountStateUpdate): boolean {
    const key = addressKey(address);
    const holding = this.#holdingOf(key);
    const known = holding?.slotOf(key) ?? this.#closings.slotOf(address);
    if (known !== undefined && slot < known) return false;
    if (known === undefined && this.#closings.isForgotten(slot)) return false;

    const target = this.#targetFor(address, account);
    if (only !== undefined && (holding ?? target) !== this.#holdings[only]) return false;
    if (holding !== undefined && holding !== target) holding.remove(key);
    if (account === undefined || target === undefined) {
      this.#closings.add(address, slot);
    } else {
      target.put({ key, slot, owner: account.owner, data: account.data });
      this.#closings.delete(address);
    }
    this.#version++;
    this.#onChange?.(address, target === undefined ? undefined : account);
    return true;
  }

  /**
   * After all accounts of a selection were read and applied as of a slot: what is still held as of an older
   * one does not exist any more. Returns how many that were.
   */
  closeOlder(kind: AccountKind, selection: AccountSelection, slot: Slot): number {
    const missing = this.#holdings[kind].olderThan(slot, selection);
    for (const address of missing) this.apply({ address, account: undefined, slot });
    return missing.length;
  }

  /** Drops what is not followed any more; nothing is said about whether it exists. */
  forget(kind: AccountKind, selection: AccountSelection): void {
    const holding = this.#holdings[kind];
    for (const address of holding.olderThan(NEVER, selection)) {
      holding.remove(addressKey(address));
    }
    this.#version++;
  }

  setAt(at: ChainTime): void {
    this.#at = at;
    this.#closings.forgetOld(at.slot);
    this.#version++;
  }

  setSlotMs(slotMs: Ratio): void {
    this.#slotMs = slotMs;
    this.#version++;
  }

  /** Whether every token account of a share mint is followed. */
  setSharesComplete(sharesMint: Address, complete: boolean): void {
    this.#shares.setComplete(sharesMint, complete);
    this.#version++;
  }

  version(): number {
    return this.#version;
  }

  at(): ChainTime {
    return this.#at;
  }

  slotMs(): Ratio {
    return this.#slotMs;
  }

  markets = () => this.#markets.all();
  market = (address: Address) => this.#markets.one(address);
  reserve = (address: Address) => this.#reserves.one(address);
  reservesOf = (market: Address) => this.#reservesByMarket(market);

  obligation = (address: Address) => this.#obligations.one(address);
  obligationsOf = (owner: Address) => this.#obligations.of(OWNER_KEY, owner);
  obligationsIn = (market: Address) => this.#obligations.in(market);

  vaults = () => this.#vaults.all();
  vault = (address: Address) => this.#vaults.one(address);
  vaultOfShares = (sharesMint: Address) => this.#vaultsByShares(sharesMint)[0];
  shareBalances = (sharesMint: Address) => this.#shares.balances(sharesMint);
  shareBalance = (sharesMint: Address, owner: Address) => this.#shares.balance(sharesMint, owner);
  shareOwners = (sharesMint: Address) => this.#shares.owners(sharesMint);
  /** Of all its token accounts that are held. */
  shareTotal = (sharesMint: Address) => this.#shares.total(sharesMint);

  farm = (address: Address) => this.#farms.one(address);
  farmsConfig = (address: Address) => this.#farmsConfigs.one(address)?.fields;
  farmUser = (farm: Address, delegatee: Address) =>
    this.#farmUsers.of(DELEGATEE_KEY, delegatee).find(({ fields }) => fields.farmState === farm);
  farmUserAt = (address: Address) => this.#farmUsers.one(address);
  farmUsersOf = (owner: Address) => this.#farmUsers.of(OWNER_KEY, owner);
  farmUsersIn = (farm: Address) => this.#farmUsers.in(farm);

  lookupTable = (address: Address) => this.#lookupTables.one(address);
  lookupTables = () => this.#lookupTables.all();

  prices(feed: Address): Elements<DatedPriceView> | undefined {
    return this.#prices.one(feed)?.fields.prices;
  }

  /** For `/status` and the figures. */
  figures(): StateStatistics {
    return {
      obligations: this.#obligations.count,
      obligationBytes: this.#obligations.byteLength,
      farmUsers: this.#farmUsers.count,
      farmUserBytes: this.#farmUsers.byteLength,
      unreadable: this.#unreadable.count,
    };
  }

  #targetFor(address: Address, account: RawAccount | undefined): AccountStore | undefined {
    if (account === undefined) return undefined;
    const recognised = identifyAccount(account);
    if (recognised.kind === 'unreadable') this.#unreadable.add(address, recognised);
    if (recognised.kind === 'unreadable' || recognised.kind === 'other') return undefined;
    return this.#holdings[recognised.kind];
  }

  #holdingOf(key: AddressKey): AccountStore | undefined {
    return this.#allHoldings.find((holding) => holding.slotOf(key) !== undefined);
  }
}

export type StateStatistics = {
  readonly obligations: number;
  readonly obligationBytes: number;
  readonly farmUsers: number;
  readonly farmUserBytes: number;
  /** Accounts that could not be read and are left out of answers. */
  readonly unreadable: number;
};
