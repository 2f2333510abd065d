import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  rentExemptLamports,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { AccountChange, ClusterState } from '@tidegate/core/state';
import type { ObservedSlot } from '@tidegate/localnet/replay';
import type { AccountUpdate } from '../chain/source/chain-source.ts';
import type { SeenTransaction } from '../indexer/events/event-follower-options.ts';
import { AccountVersions, type KnownAccount } from './account-versions.ts';
import { CapturedTransactions } from './captured-transactions.ts';
import { SkippedTransactions } from './skipped-transactions.ts';

export type SlotCaptureOptions = {
  readonly state: Pick<ClusterState, 'stored'>;
  /** Whether state has all loans and stakes, so that one that it lacks does not exist. */
  readonly hasAllPositions: () => boolean;
  /** Whether keepers of an embedded cluster refresh reserves without transactions. */
  readonly hasKeepers: boolean;
  /** Accounts of replays that wait; by default 48 MB. */
  readonly maxBytes?: number;
};

/** A slot that can be replayed. */
export type CapturedSlot = {
  readonly observed: ObservedSlot;
  /** Accounts with an update in the slot. The others are as before, or their update was not sent. */
  readonly updated: ReadonlySet<Address>;
  /** Accounts that a transaction may have written without an update. */
  readonly silent: readonly Address[];
  readonly signatures: ReadonlySet<string>;
};

const DEFAULT_MAX_BYTES = 48 * 2 ** 20;

/**
 * Collects what is seen of each slot: versions of accounts, and transactions. Holds it until the slot is taken. While it is
 * paused, it only counts transactions.
 */
export class SlotCapture {
  readonly #options: SlotCaptureOptions;
  readonly #maxBytes: number;
  readonly #versions = new AccountVersions();
  readonly #transactions = new CapturedTransactions();
  /** Of slots that passed during a pause. */
  readonly #skipped = new SkippedTransactions();
  readonly #updated = new Map<Slot, Set<Address>>();
  /** Of slots that state was complete for. */
  readonly #times = new Map<Slot, UnixSeconds>();
  /** Only later slots are known completely; undefined until state is complete again. */
  #start: Slot | undefined;
  #minStart = toSlot(0n);
  #newest = toSlot(0n);
  #complete: ChainTime | undefined;
  #taken = toSlot(0n);
  #isPaused = false;
  /** The update that state is applying. */
  #applying: AccountUpdate | undefined;

  constructor(options: SlotCaptureOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  /** Whether what waits takes more memory than it may. */
  get isFull(): boolean {
    return this.#versions.byteLength > this.#maxBytes;
  }

  /** The newest slot that was seen. */
  get newestSlot(): Slot {
    return this.#newest;
  }

  /** Everything up to it was taken; undefined while state is not complete. */
  get takenSlot(): Slot | undefined {
    return this.#start === undefined ? undefined : this.#taken;
  }

  /** Call it immediately before state applies an update of a subscription. */
  onUpdate(update: AccountUpdate): void {
    const { address, account, slot } = update;
    if (slot > this.#newest) this.#newest = slot;
    if (this.#start === undefined || slot <= this.#taken) return;
    const stored = this.#options.state.stored(address);
    if (stored !== undefined && stored.slot > slot) return;
    // a stream announces every account that a transaction closes, whatever it was
    const known = account ?? stored;
    if (known === undefined ? !this.#versions.has(address) : !isOfPrograms(known)) return;
    this.#applying = update;
    this.#versions.add(address, { slot, account }, () => this.#knownAs(stored));
    // prices change in every slot, and are not compared
    if (known !== undefined && isOracle(known)) return;
    this.#updated.set(slot, (this.#updated.get(slot) ?? new Set()).add(address));
  }

  /** Call it after each change of state. A change without an update was found by a read. */
  onChange(address: Address, { slot, isVisible, received }: AccountChange): void {
    const isUpdate = this.#applying?.address === address && this.#applying.slot === slot;
    this.#applying = undefined;
    if (isUpdate || !isVisible || this.#start === undefined) return;
    if (received === undefined ? !this.#versions.has(address) : !isOfPrograms(received)) return;
    const account = received && withLamports(received);
    this.#versions.addFound(address, { slot, account });
  }

  onTransactions(transactions: readonly SeenTransaction[]): void {
    for (const each of transactions) {
      if (each.slot > this.#taken) this.#transactions.add(each);
      else this.#skipped.addLate(each);
    }
  }

  /** Call it when state is complete for a slot. */
  onSlot(at: ChainTime): void {
    this.#complete = at;
    this.#times.set(at.slot, at.unix);
    if (at.slot > this.#newest) this.#newest = at.slot;
    if (this.#isPaused || this.#start !== undefined || at.slot < this.#minStart) return;
    this.#start = at.slot;
    this.#taken = at.slot;
    const dropped = this.#transactions.dropUpTo(at.slot);
    this.#skipped.end(at.slot, dropped);
  }

  /** Holds nothing until `resume`. */
  pause(): void {
    if (this.#isPaused) return;
    this.onGap();
    this.#isPaused = true;
    this.#skipped.begin(this.#taken);
  }

  /** Begins again with the next slot that is complete. */
  resume(): void {
    this.#isPaused = false;
  }

  /** The number of transactions of slots that passed during a pause, up to a slot for which all are known. Counts each once. */
  takeSkipped(completeUpTo: Slot): number {
    if (this.#isPaused) {
      this.#skipped.add(this.#transactions.dropUpTo(completeUpTo));
      for (const each of this.#times.keys()) if (each <= completeUpTo) this.#times.delete(each);
    }
    return this.#skipped.take(completeUpTo);
  }

  /** Call it when updates may have been missed: begins again with the first slot that is complete afterwards. */
  onGap(): void {
    this.#start = undefined;
    this.#versions.clear();
    this.#updated.clear();
  }

  /** Call it when slots were rolled back: begins again after all slots that were seen before. */
  onRollBack(): void {
    this.onGap();
    this.#transactions.clear();
    this.#skipped.clear();
    this.#minStart = this.#newest;
  }

  /** The oldest slot with changes or transactions up to a slot for which all transactions are known. */
  next(completeUpTo: Slot): Slot | undefined {
    if (this.#start === undefined || this.#complete === undefined) return undefined;
    const last = completeUpTo < this.#complete.slot ? completeUpTo : this.#complete.slot;
    let oldest: Slot | undefined;
    for (const slots of [this.#updated.keys(), this.#transactions.slots()]) {
      for (const slot of slots) {
        const isDue = slot > this.#taken && slot <= last;
        if (isDue && (oldest === undefined || slot < oldest)) oldest = slot;
      }
    }
    return oldest;
  }

  /** Call it when no slot up to this one is left. */
  skipTo(completeUpTo: Slot): void {
    if (this.#complete === undefined || this.#start === undefined) return;
    const last = completeUpTo < this.#complete.slot ? completeUpTo : this.#complete.slot;
    if (last > this.#taken) this.settle(last, []);
  }

  /** Everything that was seen of a slot. `isComplete`: whether all its transactions are known. */
  read(slot: Slot, isComplete: boolean): CapturedSlot {
    const { transactions, isOrdered, addresses, writable, blockTime } =
      this.#transactions.inOrder(slot);
    const updated = this.#updated.get(slot) ?? new Set<Address>();
    const unix = blockTime ?? this.#refreshTime(slot, updated) ?? this.#times.get(slot);
    const before = toSlot(slot - 1n);
    const needed = this.#withMarkets(new Set([...addresses, ...updated]), slot);
    return {
      updated,
      silent: [...writable].filter((address) => this.#isSilent(address, slot, updated)),
      signatures: this.#transactions.signatures(slot),
      observed: {
        time: { slot, unix: unix ?? this.#complete?.unix ?? toUnixSeconds(0n) },
        transactions: isOrdered ? transactions : [],
        before: this.#seenAt(needed, before),
        after: this.#seenAt(needed, slot),
        isComplete: isComplete && isOrdered,
        hasKeepers: this.#options.hasKeepers,
      },
    };
  }

  /** The slot is done, with everything before it. `unknown`: accounts that it may have left in another state than was seen. */
  settle(slot: Slot, unknown: readonly Address[]): void {
    if (this.#start === undefined) return;
    for (const address of unknown) {
      this.#versions.addUnknown(address, slot, () => this.#storedAccount(address));
    }
    this.#taken = slot;
    for (const each of this.#updated.keys()) if (each <= slot) this.#updated.delete(each);
    this.#transactions.dropUpTo(slot);
    this.#versions.prune(toSlot(slot + 1n));
    for (const each of this.#times.keys()) if (each <= slot) this.#times.delete(each);
  }

  /** The time that a reserve was refreshed in the slot; undefined if none was, and before release 1.25. */
  #refreshTime(slot: Slot, updated: ReadonlySet<Address>): UnixSeconds | undefined {
    for (const address of updated) {
      const account = this.#versions.at(address, slot)?.account;
      if (account === undefined || account === 'unknown' || !reserve.matches(account)) continue;
      const { lastUpdate } = reserve.view(account);
      if (lastUpdate.slot !== slot || lastUpdate.timestamp === 0) continue;
      return toUnixSeconds(BigInt(lastUpdate.timestamp));
    }
    return undefined;
  }

  /** State has the account, and nothing says what it was after the slot. */
  #isSilent(address: Address, slot: Slot, updated: ReadonlySet<Address>): boolean {
    if (updated.has(address)) return false;
    const known = this.#versions.at(address, slot);
    if (known !== undefined) return known.account !== undefined;
    const stored = this.#options.state.stored(address);
    return stored !== undefined && isOfPrograms(stored);
  }

  #seenAt(addresses: ReadonlySet<Address>, slot: Slot): ObservedSlot['before'] {
    const seen = new Map<Address, ClusterAccount | undefined>();
    for (const address of addresses) {
      const known = this.#versions.at(address, slot);
      if (known === undefined) {
        const stored = this.#options.state.stored(address);
        if (stored !== undefined && isOfPrograms(stored)) {
          seen.set(address, withLamports(stored));
        }
      } else if (known.account !== 'unknown') seen.set(address, known.account);
    }
    return seen;
  }

  /** Interest depends on the market of a reserve and on nothing else that its transactions may not name. */
  #withMarkets(addresses: Set<Address>, slot: Slot): ReadonlySet<Address> {
    for (const address of [...addresses]) {
      const account = this.#versions.at(address, slot)?.account;
      if (account === undefined || account === 'unknown' || !reserve.matches(account)) continue;
      const { lendingMarket, config } = reserve.view(account);
      addresses.add(lendingMarket);
      addresses.add(config.tokenInfo.scopeConfiguration.priceFeed);
    }
    return addresses;
  }

  #storedAccount(address: Address): KnownAccount {
    return this.#knownAs(this.#options.state.stored(address));
  }

  #knownAs(stored: ReturnType<ClusterState['stored']>): KnownAccount {
    if (stored !== undefined) return withLamports(stored);
    return this.#options.hasAllPositions() ? undefined : 'unknown';
  }
}

/** State does not store lamports. */
const withLamports = ({ owner, data }: Pick<ClusterAccount, 'owner' | 'data'>): ClusterAccount => ({
  owner,
  data,
  lamports: rentExemptLamports(data.length),
});

const isOracle = ({ owner }: Pick<ClusterAccount, 'owner'>): boolean =>
  SCOPE_PROGRAMS.includes(owner);

/** State also has token accounts and lookup tables, of which it knows too little. */
const isOfPrograms = ({ owner }: Pick<ClusterAccount, 'owner'>): boolean =>
  owner !== TOKEN_PROGRAM && owner !== ADDRESS_LOOKUP_TABLE_PROGRAM;
