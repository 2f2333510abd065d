import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  type KeyedAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';
import { AccountVersions, type SavedVersions } from './account-versions.ts';
import { timeOfSlot } from './slot-time.ts';

/**
 * Slots whose accounts stay readable: the largest lag, the finality depth, and a margin. Rollbacks
 * reach as far, and the same number of slots stays readable after one.
 */
export const RETAINED_SLOTS = 320n;

type Changes = { readonly slot: Slot; readonly addresses: readonly Address[] };

/** The accounts at the end of a slot. */
export type BankView = {
  readonly time: ChainTime;
  account(address: Address): ClusterAccount | undefined;
  accountsOf(program: Address): Iterable<KeyedAccount>;
  /** Addresses written at or after a slot; undefined if that is too long ago to know all of them. */
  writtenSince(slot: Slot): ReadonlySet<Address> | undefined;
};

export type BankOptions = {
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  /** Reference for the times of all slots. */
  readonly origin: ChainTime;
  /** The newest closed slot; defaults to the slot of `origin`. */
  readonly slot?: Slot;
};

/** Everything that a bank returns to when it is restored. */
export type SavedBank = {
  readonly slot: Slot;
  readonly horizon: Slot;
  readonly versions: SavedVersions;
  readonly open: ReadonlyMap<Address, ClusterAccount | undefined>;
  readonly changes: readonly Changes[];
  /** Number of accounts that had been added to the initial state. */
  readonly addedCount: number;
};

/**
 * Accounts by address and slot. Writes go into the open slot and become visible to views when it
 * closes. Several slots may close at once; the skipped ones change nothing.
 */
export class Bank {
  readonly origin: ChainTime;
  /** First slot; earlier ones are unknown. */
  readonly #firstSlot: Slot;
  readonly #versions = new AccountVersions();
  readonly #open = new Map<Address, ClusterAccount | undefined>();
  readonly #listeners = new Set<() => void>();
  readonly #rollBacks: Slot[] = [];
  /** Accounts that were added to the initial state, in order. */
  readonly #added: KeyedAccount[] = [];
  #changes: Changes[] = [];
  #slot: Slot;
  /** Older versions are dropped. */
  #horizon: Slot;

  constructor({ accounts, origin, slot = origin.slot }: BankOptions) {
    this.origin = origin;
    this.#firstSlot = slot;
    this.#slot = slot;
    this.#horizon = horizonOf(slot);
    for (const [address, account] of accounts) this.#versions.addInitial(address, account);
  }

  /** The newest closed slot. */
  get slot(): Slot {
    return this.#slot;
  }

  timeOf(slot: Slot): ChainTime {
    return timeOfSlot(this.origin, slot);
  }

  /** Writes into the open slot. Undefined or zero lamports deletes the account. */
  setAccount(address: Address, account: ClusterAccount | undefined): void {
    this.#open.set(address, account?.lamports === 0n ? undefined : account);
  }

  /** The current account, including writes of the open slot. */
  account(address: Address): ClusterAccount | undefined {
    return this.#open.has(address) ? this.#open.get(address) : this.#versions.newest(address);
  }

  /** Addresses written in the open slot. */
  pendingAddresses(): readonly Address[] {
    return [...this.#open.keys()];
  }

  /** All accounts of the newest closed slot. */
  accounts(): Iterable<KeyedAccount> {
    return this.#versions.accounts();
  }

  /** Adds an account as if it had been there from the start. An account that is known stays as it is. */
  addInitialAccount(address: Address, account: ClusterAccount): void {
    if (this.#versions.has(address) || this.#open.has(address)) return;
    this.#added.push({ address, account });
    this.#versions.addInitial(address, account);
  }

  /** Closes the open slot as `slot` and calls the listeners. */
  close(slot: Slot): void {
    if (slot <= this.#slot) {
      const reason = `${slot} does not follow ${this.#slot}`;
      throw new CodedError('MALFORMED_DATA', { what: 'slot to close', reason });
    }
    for (const [address, account] of this.#open) this.#versions.add(address, { slot, account });
    if (this.#open.size > 0) this.#changes.push({ slot, addresses: [...this.#open.keys()] });
    this.#open.clear();
    this.#slot = slot;
    this.#pruneBefore(horizonOf(slot));
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Undoes all later slots. Their changes are listed as changes of the open slot, so that
   * subscribers are notified of the restored values.
   */
  rollBack(slot: Slot): void {
    const isRetained = slot >= this.#firstSlot && slot >= this.#horizon + RETAINED_SLOTS;
    if (slot >= this.#slot || !isRetained) {
      const reason = `${slot} is not a retained slot before ${this.#slot}`;
      throw new CodedError('MALFORMED_DATA', { what: 'rollback slot', reason });
    }
    const undone = this.changesBetween(slot, this.#slot);
    this.#changes = this.#changes.slice(0, this.#changes.length - undone.length);
    for (const address of new Set(undone.flatMap(({ addresses }) => addresses))) {
      this.#versions.dropAfter(address, slot);
      if (!this.#open.has(address)) this.#open.set(address, this.#versions.newest(address));
    }
    this.#slot = slot;
    this.#rollBacks.push(slot);
  }

  /** The current state. Takes time and memory in proportion to the number of accounts, not to their size. */
  save(): SavedBank {
    return {
      slot: this.#slot,
      horizon: this.#horizon,
      versions: this.#versions.save(),
      open: new Map(this.#open),
      changes: this.#changes.slice(),
      addedCount: this.#added.length,
    };
  }

  /**
   * Returns to a saved state, however long ago it was. Accounts that were added to the initial state since then stay. As
   * after a rollback, what changed is listed as changes of the open slot.
   */
  restore({ slot, horizon, versions, open, changes, addedCount }: SavedBank): void {
    const before = this.#newestAccounts();
    this.#versions.restore(versions);
    this.#open.clear();
    for (const [address, account] of open) this.#open.set(address, account);
    for (const { address, account } of this.#added.slice(addedCount)) {
      const isWritten = this.#versions.has(address) || this.#open.has(address);
      if (!isWritten) this.#versions.addInitial(address, account);
    }
    this.#changes = [...changes];
    this.#slot = slot;
    this.#horizon = horizon;
    this.#rollBacks.push(slot);
    const after = this.#newestAccounts();
    for (const address of new Set([...before.keys(), ...after.keys()])) {
      const account = after.get(address);
      const isChanged = account !== before.get(address);
      if (isChanged && !this.#open.has(address)) this.#open.set(address, account);
    }
  }

  /** Slots that were rolled back to, in order. */
  get rollBacks(): readonly Slot[] {
    return this.#rollBacks;
  }

  /** Calls the listener after each closed slot; returns a function to unsubscribe. */
  onSlot(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async nextSlot(): Promise<Slot> {
    await new Promise<void>((resolve) => {
      const unsubscribe = this.onSlot(() => {
        unsubscribe();
        resolve();
      });
    });
    return this.#slot;
  }

  view(slot: Slot): BankView {
    return {
      time: this.timeOf(slot),
      account: (address) => this.#versions.at(address, slot),
      accountsOf: (program) => this.#versions.accountsOf(program, slot),
      writtenSince: (since) => this.#writtenBetween(since, slot),
    };
  }

  /** Changes after one slot and up to another, by slot. */
  changesBetween(after: Slot, upTo: Slot): readonly Changes[] {
    return this.#changes.filter(({ slot }) => slot > after && slot <= upTo);
  }

  #newestAccounts(): ReadonlyMap<Address, ClusterAccount> {
    const entries = Array.from(
      this.accounts(),
      ({ address, account }) => [address, account] as const,
    );
    return new Map(entries);
  }

  #writtenBetween(since: Slot, upTo: Slot): ReadonlySet<Address> | undefined {
    if (since <= this.#firstSlot || since <= this.#horizon) return undefined;
    const changes = this.changesBetween(toSlot(since - 1n), upTo);
    return new Set(changes.flatMap(({ addresses }) => addresses));
  }

  #pruneBefore(horizon: Slot): void {
    if (horizon <= this.#horizon) return;
    this.#horizon = horizon;
    const old = this.#changes.filter(({ slot }) => slot <= horizon);
    if (old.length === 0) return;
    this.#changes = this.#changes.slice(old.length);
    for (const address of new Set(old.flatMap(({ addresses }) => addresses))) {
      this.#versions.prune(address, horizon);
    }
  }
}

const horizonOf = (slot: Slot): Slot => toSlot(slot - 2n * RETAINED_SLOTS);
