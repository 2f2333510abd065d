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
 * How far back the accounts of a slot can be read: the largest lag, the depth of finality and some. As far it can be
 * rolled back, and then be read as far again.
 */
export const RETAINED_SLOTS = 320n;

type Version = { readonly slot: Slot; readonly account: ClusterAccount | undefined };

type Changes = { readonly slot: Slot; readonly addresses: readonly Address[] };

/** The accounts as they were when a slot ended. */
export type BankView = {
  readonly time: ChainTime;
  account(address: Address): ClusterAccount | undefined;
  accountsOf(program: Address): Iterable<KeyedAccount>;
};

export type BankOptions = {
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  /** From which the times of all slots are counted. */
  readonly at: ChainTime;
  /** The newest slot that is closed: that of `at`, unless the cluster has run before. */
  readonly slot?: Slot;
};

/**
 * Accounts by address, slot by slot. Writes go into the open slot and are seen by views once it is closed; several
 * slots may pass at once, then nothing happened in those between. Whoever executes transactions later writes
 * the same way, between two calls of `close`.
 */
export class Bank {
  readonly origin: ChainTime;
  /** What was before it was never known here. */
  readonly #start: Slot;
  /** Oldest first. What was there from the start has slot 0. */
  readonly #versions = new Map<Address, Version[]>();
  /** Every address that a kept version gives to the owner. */
  readonly #addressesByOwner = new Map<Address, Set<Address>>();
  readonly #open = new Map<Address, ClusterAccount | undefined>();
  readonly #listeners = new Set<() => void>();
  readonly #rollBacks: Slot[] = [];
  #changes: Changes[] = [];
  #slot: Slot;
  /** What was before it is forgotten. */
  #horizon: Slot;

  constructor({ accounts, at, slot = at.slot }: BankOptions) {
    this.origin = at;
    this.#start = slot;
    this.#slot = slot;
    this.#horizon = horizonOf(slot);
    for (const [address, account] of accounts) {
      this.#addVersion(address, { slot: toSlot(0n), account });
    }
  }

  /** The newest slot that is closed. */
  get slot(): Slot {
    return this.#slot;
  }

  timeOf(slot: Slot): ChainTime {
    return timeOfSlot(this.origin, slot);
  }

  /** Part of the slot that is open. Undefined or without lamports: it exists no more. */
  setAccount(address: Address, account: ClusterAccount | undefined): void {
    this.#open.set(address, account?.lamports === 0n ? undefined : account);
  }

  /** As of now, what the open slot has written included. */
  account(address: Address): ClusterAccount | undefined {
    if (this.#open.has(address)) return this.#open.get(address);
    return this.#versions.get(address)?.at(-1)?.account;
  }

  /** What the open slot has written so far. */
  openAddresses(): readonly Address[] {
    return [...this.#open.keys()];
  }

  /** All that there are, as of the newest slot that is closed. */
  *accounts(): Iterable<KeyedAccount> {
    for (const [address, versions] of this.#versions) {
      const account = versions.at(-1)?.account;
      if (account !== undefined) yield { address, account };
    }
  }

  /** Ends the open slot as `slot` and tells the listeners. */
  close(slot: Slot): void {
    if (slot <= this.#slot) {
      const reason = `${slot} does not follow ${this.#slot}`;
      throw new CodedError('MALFORMED_DATA', { what: 'slot to close', reason });
    }
    for (const [address, account] of this.#open) this.#addVersion(address, { slot, account });
    if (this.#open.size > 0) this.#changes.push({ slot, addresses: [...this.#open.keys()] });
    this.#open.clear();
    this.#slot = slot;
    this.#forgetBefore(horizonOf(slot));
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Undoes all slots after this one. What they had changed counts as changed again, back to what it was, in the slot
   * that is open, so that those who listen hear of it.
   */
  rollBack(slot: Slot): void {
    const isKept = slot >= this.#start && slot >= this.#horizon + RETAINED_SLOTS;
    if (slot >= this.#slot || !isKept) {
      const reason = `${slot} is not among those before ${this.#slot} that are kept`;
      throw new CodedError('MALFORMED_DATA', { what: 'slot to go back to', reason });
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

  /** The slots to which it went back, in the order in which it did. */
  get rollBacks(): readonly Slot[] {
    return this.#rollBacks;
  }

  /** Called after each slot that is closed; returns how to end that. */
  onSlot(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async nextSlot(): Promise<Slot> {
    await new Promise<void>((resolve) => {
      const end = this.onSlot(() => {
        end();
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
    };
  }

  /** What changed after one slot and up to another, by slot. */
  changesBetween(after: Slot, upTo: Slot): readonly Changes[] {
    return this.#changes.filter(({ slot }) => slot > after && slot <= upTo);
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

  /** Drops what no view from `horizon` on can see. */
  #forgetBefore(horizon: Slot): void {
    if (horizon <= this.#horizon) return;
    this.#horizon = horizon;
    const old = this.#changes.filter(({ slot }) => slot <= horizon);
    if (old.length === 0) return;
    this.#changes = this.#changes.slice(old.length);
    for (const address of new Set(old.flatMap(({ addresses }) => addresses))) {
      this.#forgetVersions(address, horizon);
    }
  }

  #forgetVersions(address: Address, horizon: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const first = versions.findLastIndex(({ slot }) => slot <= horizon);
    const isGone = first === versions.length - 1 && versions[first]?.account === undefined;
    this.#disown(address, versions.splice(0, isGone ? versions.length : Math.max(first, 0)));
  }

  #dropVersionsAfter(address: Address, slot: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const last = versions.findLastIndex((version) => version.slot <= slot);
    this.#disown(address, versions.splice(last + 1));
  }

  /** After versions were dropped. */
  #disown(address: Address, dropped: readonly Version[]): void {
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
