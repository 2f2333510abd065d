import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  CodedError,
  type KeyedAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { timeOfSlot } from './slot-time.ts';

/**
 * Slots whose accounts stay readable: the largest lag, the finality depth, and a margin. Rollbacks
 * reach as far, and the same number of slots stays readable after one.
 */
export const RETAINED_SLOTS = 320n;

type Version = { readonly slot: Slot; readonly account: ClusterAccount | undefined };

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

/**
 * Accounts by address and slot. Writes go into the open slot and become visible to views when it
 * closes. Several slots may close at once; the skipped ones change nothing.
 */
export class Bank {
  readonly origin: ChainTime;
  /** First slot; earlier ones are unknown. */
  readonly #firstSlot: Slot;
  /** Oldest first. Initial versions have slot 0. */
  readonly #versions = new Map<Address, Version[]>();
  /** Every address with a retained version of that owner. */
  readonly #addressesByOwner = new Map<Address, Set<Address>>();
  readonly #open = new Map<Address, ClusterAccount | undefined>();
  readonly #listeners = new Set<() => void>();
  readonly #rollBacks: Slot[] = [];
  #changes: Changes[] = [];
  #slot: Slot;
  /** Older versions are dropped. */
  #horizon: Slot;

  constructor({ accounts, origin, slot = origin.slot }: BankOptions) {
    this.origin = origin;
    this.#firstSlot = slot;
    this.#slot = slot;
    this.#horizon = horizonOf(slot);
    for (const [address, account] of accounts) {
      this.#addVersion(address, { slot: toSlot(0n), account });
    }
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
    if (this.#open.has(address)) return this.#open.get(address);
    return this.#versions.get(address)?.at(-1)?.account;
  }

  /** Addresses written in the open slot. */
  pendingAddresses(): readonly Address[] {
    return [...this.#open.keys()];
  }

  /** All accounts of the newest closed slot. */
  *accounts(): Iterable<KeyedAccount> {
    for (const [address, versions] of this.#versions) {
      const account = versions.at(-1)?.account;
      if (account !== undefined) yield { address, account };
    }
  }

  /** Closes the open slot as `slot` and calls the listeners. */
  close(slot: Slot): void {
    if (slot <= this.#slot) {
      const reason = `${slot} does not follow ${this.#slot}`;
      throw new CodedError('MALFORMED_DATA', { what: 'slot to close', reason });
    }
    for (const [address, account] of this.#open) this.#addVersion(address, { slot, account });
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
      this.#dropVersionsAfter(address, slot);
      const account = this.#versions.get(address)?.at(-1)?.account;
      if (!this.#open.has(address)) this.#open.set(address, account);
    }
    this.#slot = slot;
    this.#rollBacks.push(slot);
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
      account: (address) => accountAt(this.#versions.get(address), slot),
      accountsOf: (program) => this.#accountsOf(program, slot),
      writtenSince: (since) => this.#writtenBetween(since, slot),
    };
  }

  /** Changes after one slot and up to another, by slot. */
  changesBetween(after: Slot, upTo: Slot): readonly Changes[] {
    return this.#changes.filter(({ slot }) => slot > after && slot <= upTo);
  }

  #writtenBetween(since: Slot, upTo: Slot): ReadonlySet<Address> | undefined {
    if (since <= this.#firstSlot || since <= this.#horizon) return undefined;
    const changes = this.changesBetween(toSlot(since - 1n), upTo);
    return new Set(changes.flatMap(({ addresses }) => addresses));
  }

  *#accountsOf(program: Address, slot: Slot): Iterable<KeyedAccount> {
    for (const address of this.#addressesByOwner.get(program) ?? []) {
      const account = accountAt(this.#versions.get(address), slot);
      if (account?.owner === program) yield { address, account };
    }
  }

  #addVersion(address: Address, version: Version): void {
    const versions = this.#versions.get(address);
    if (versions === undefined) this.#versions.set(address, [version]);
    else versions.push(version);
    if (version.account === undefined) return;
    const { owner } = version.account;
    const owned = this.#addressesByOwner.get(owner) ?? new Set();
    this.#addressesByOwner.set(owner, owned.add(address));
  }

  /** Drops versions that no view from `horizon` on can read. */
  #pruneBefore(horizon: Slot): void {
    if (horizon <= this.#horizon) return;
    this.#horizon = horizon;
    const old = this.#changes.filter(({ slot }) => slot <= horizon);
    if (old.length === 0) return;
    this.#changes = this.#changes.slice(old.length);
    for (const address of new Set(old.flatMap(({ addresses }) => addresses))) {
      this.#pruneVersions(address, horizon);
    }
  }

  #pruneVersions(address: Address, horizon: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const first = versions.findLastIndex(({ slot }) => slot <= horizon);
    const isGone = first === versions.length - 1 && versions[first]?.account === undefined;
    this.#updateOwners(address, versions.splice(0, isGone ? versions.length : Math.max(first, 0)));
  }

  #dropVersionsAfter(address: Address, slot: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const last = versions.findLastIndex((version) => version.slot <= slot);
    this.#updateOwners(address, versions.splice(last + 1));
  }

  /** Updates the owner index after versions were dropped. */
  #updateOwners(address: Address, dropped: readonly Version[]): void {
    const versions = this.#versions.get(address) ?? [];
    if (versions.length === 0) this.#versions.delete(address);
    const owners = new Set(versions.map(({ account }) => account?.owner));
    for (const { account } of dropped) {
      if (account === undefined || owners.has(account.owner)) continue;
      this.#addressesByOwner.get(account.owner)?.delete(address);
    }
  }
}

const horizonOf = (slot: Slot): Slot => toSlot(slot - 2n * RETAINED_SLOTS);

function accountAt(
  versions: readonly Version[] | undefined,
  slot: Slot,
): ClusterAccount | undefined {
  if (versions === undefined) return undefined;
  for (let i = versions.length - 1; i >= 0; i--) {
    const version = versions[i];
    if (version !== undefined && version.slot <= slot) return version.account;
  }
  return undefined;
}
