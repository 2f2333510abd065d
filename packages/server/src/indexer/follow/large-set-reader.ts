import { type Address, type Slot, toSlot } from '@tidegate/core/base';
import { type ClusterState, SeenAddresses } from '@tidegate/core/state';
import type {
  AccountUpdate,
  ChainSource,
  ProgramRead,
  ProgramReadResult,
  ReadAccount,
} from '../../chain/source/chain-source.ts';
import { matchesScan } from '../../chain/source/matches-scan.ts';
import { hasCode } from '../../errors.ts';
import type { ScannedAccountSet } from './account-sets.ts';
import {
  type AbsenceCheck,
  type CheckedAbsences,
  type SetRead,
  slotAfter,
} from './checks/absence-check.ts';
import type { AccountAgreement } from './checks/account-agreement.ts';
import { HeldUpdates } from './held-updates.ts';
import type { SlotQueue } from './slot-queue.ts';
import { findWrittenAccounts } from './written-accounts.ts';

type LargeSetReaderOptions = {
  readonly accountSet: ScannedAccountSet;
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  readonly absences: AbsenceCheck;
  readonly agreement: AccountAgreement;
  /** Whether an update of the account waits for its slot. */
  readonly isQueued: (address: Address) => boolean;
  readonly isStopped: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** Smaller sets are read as a whole after a gap, unless the node knows what changed. */
  readonly minForTransactions?: number | undefined;
};

type QueuedChanges = {
  readonly slot: Slot;
  /** Whether the removal of closed accounts is among them. */
  readonly findsClosed: boolean;
};

/** Unknown addresses of a listing that are read one by one. If there are more, all accounts are read. */
const MAX_UNKNOWN = 10_000;
/** Accounts that are read by address at a time. */
const PART = 100;
const DEFAULT_MIN_FOR_TRANSACTIONS = 5_000;
/** Pause before transactions are listed again. */
const LISTING_PAUSE_MS = 1_000;
/** Slots that are read again, so that no confirmed write near the boundary is missed. About 13 seconds. */
const OVERLAP_SLOTS = 32n;

/**
 * Reads a set of accounts that is too large to be held in memory: loans, stakes and shares.
 *
 * What changed since a slot is known to nodes that offer `changedSince`. With other nodes it follows from the transactions
 * of the program, if they are not too many and all of them are listed. Otherwise all accounts are read and compared with
 * state, because no slice of their data is sufficient:
 * - The slot in a loan's `lastUpdate` tells when its positions changed, as the program refuses to change those of a loan that
 *   was not refreshed in the same slot. But orders, borrow orders, rollover settings, deleveraging marks and the owner are
 *   written without a refresh, and they lie before, within and behind the positions. Two changes of one slot, one before
 *   and one after the connection was lost, leave the same `lastUpdate` as well.
 * - A stake has no time of its last write.
 * A slice with all fields that state holds is sent uncompressed and takes more bytes than the compressed account.
 */
export class LargeSetReader {
  readonly #options: LargeSetReaderOptions;
  /** Accounts of the last complete read. */
  #count = 0;

  constructor(options: LargeSetReaderOptions) {
    this.#options = options;
  }

  /**
   * First load, while nobody reads state: applies accounts while they arrive. Their data is not older than `minSlot`, and
   * updates since then arrive on their own. If the read starts over, what an earlier attempt added and the complete one
   * does not contain is removed. Returns the number of accounts.
   */
  async load(minSlot: Slot): Promise<number> {
    const { source, queue } = this.#options;
    const seen = new SeenAddresses();
    const { slot, completeAt } = await source.streamProgram(this.#read(minSlot), {
      onStart: () => seen.clear(),
      onAccount: (update) => {
        seen.add(update.address);
        this.#apply(update);
      },
    });
    queue.requireSlot(slot);
    const read = this.#setRead(seen, { slot, completeAt });
    this.#closeMissing(read, await this.#checkMissing(read));
    this.#count = seen.size;
    return seen.size;
  }

  /**
   * Queues what changed, for the slot that it returns. `since`: the slot up to which state has every change; undefined if
   * there is none. Only a read of all accounts finds those that were closed.
   */
  async queueChanges(minSlot: Slot, since: Slot | undefined): Promise<QueuedChanges> {
    if (since !== undefined) {
      const slot =
        (await this.#queueWritten(minSlot, since)) ??
        (await this.#queueOfTransactions(minSlot, since));
      if (slot !== undefined) return { slot, findsClosed: false };
    }
    return { slot: await this.#queueDifferences(minSlot), findsClosed: true };
  }

  /** Lists all addresses, and queues the removal of accounts that were closed, for the slot that it returns. */
  async queueClosed(minSlot: Slot): Promise<Slot> {
    const { source, state, queue } = this.#options;
    const seen = new SeenAddresses();
    let unknown: Address[] = [];
    const read: ProgramRead = { ...this.#read(minSlot), content: 'addresses' };
    const { slot, completeAt } = await source.streamProgram(read, {
      onStart: () => {
        seen.clear();
        unknown = [];
      },
      onAccount: ({ address }) => {
        seen.add(address);
        const isUnknown = state.kindOf(address) === undefined;
        if (isUnknown && unknown.length <= MAX_UNKNOWN) unknown.push(address);
      },
    });
    if (unknown.length > MAX_UNKNOWN) return this.#queueDifferences(minSlot);
    const listing = { ...this.#setRead(seen, { slot, completeAt }), isListing: true };
    const missing = await this.#checkMissing(listing);
    queue.push({ slot, run: () => this.#closeMissing(listing, missing) });
    const newest = slotAfter(slot, missing);
    return unknown.length === 0 ? newest : this.#queueAccounts(unknown, newest);
  }

  /** Undefined if no endpoint tells what was written. */
  async #queueWritten(minSlot: Slot, since: Slot): Promise<Slot | undefined> {
    const changedSince = withOverlap(since);
    const held = this.#createHeld();
    try {
      const { slot } = await this.#options.source.streamProgram(
        { ...this.#read(minSlot), changedSince },
        { onStart: () => held.clear(), onAccount: (update) => this.#hold(update, held) },
      );
      await this.#confirm(held, slot);
      held.queueFor(slot);
      return slot;
    } catch (error) {
      if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
      return undefined;
    }
  }

  /** Reads all accounts and holds those that differ from state. */
  async #queueDifferences(minSlot: Slot): Promise<Slot> {
    const { source } = this.#options;
    const seen = new SeenAddresses();
    const held = this.#createHeld();
    const { slot, completeAt } = await source.streamProgram(this.#read(minSlot), {
      onStart: () => {
        seen.clear();
        held.clear();
      },
      onAccount: (update) => {
        seen.add(update.address);
        this.#hold(update, held);
      },
    });
    await this.#confirm(held, slot);
    this.#count = seen.size;
    const setRead = this.#setRead(seen, { slot, completeAt });
    const missing = await this.#checkMissing(setRead);
    held.queueFor(slot, () => this.#closeMissing(setRead, missing));
    return slotAfter(slot, missing);
  }

  /** Holds an account that differs from state, now or when its queued updates are applied. */
  #hold(update: ReadAccount, held: HeldUpdates): void {
    const { state, isQueued } = this.#options;
    const { address, account } = update;
    if (isQueued(address) || !state.holds(address, account)) held.add(update);
  }

  /** Undefined if the transactions of the program do not tell for certain. */
  async #queueOfTransactions(minSlot: Slot, since: Slot): Promise<Slot | undefined> {
    const { accountSet, source, state, sleep, minForTransactions } = this.#options;
    const { kind, scan } = accountSet;
    // a share can be moved without its vault
    const isOfProgram = kind !== 'shares';
    const min = minForTransactions ?? DEFAULT_MIN_FOR_TRANSACTIONS;
    if (!isOfProgram || this.#count < min) return undefined;
    const written = await findWrittenAccounts({
      ledger: source.ledger,
      program: scan.program,
      after: withOverlap(since),
      upTo: minSlot,
      pause: () => sleep(LISTING_PAUSE_MS),
    });
    if (written === undefined) return undefined;
    const mayBelong = (address: Address) => (state.kindOf(address) ?? kind) === kind;
    return this.#queueAccounts([...written].filter(mayBelong), minSlot);
  }

  /** Reads accounts that may belong to the set. */
  async #queueAccounts(addresses: readonly Address[], minSlot: Slot): Promise<Slot> {
    const { accountSet, absences, state } = this.#options;
    const held = this.#createHeld();
    let newest = minSlot;
    for (let start = 0; start < addresses.length; start += PART) {
      const part = addresses.slice(start, start + PART);
      const { slot, updates } = await absences.readAccounts(part, minSlot);
      if (slot > newest) newest = slot;
      for (const update of updates) {
        const { address, account } = update;
        if (account !== undefined && matchesScan(accountSet.scan, account)) {
          held.add(update);
        } else if (state.kindOf(address) === accountSet.kind) {
          held.add({ ...update, account: undefined });
        }
      }
    }
    await this.#confirm(held, newest);
    held.queueFor(newest);
    return newest;
  }

  #confirm({ updates }: HeldUpdates, readSlot: Slot): Promise<void> {
    return this.#options.agreement.confirm(updates, readSlot);
  }

  #read(minSlot: Slot): ProgramRead {
    return { scan: this.#options.accountSet.scan, content: 'accounts', minSlot };
  }

  #createHeld(): HeldUpdates {
    const { queue } = this.#options;
    return new HeldUpdates({ queue, apply: (update) => this.#apply(update) });
  }

  #apply(update: AccountUpdate): void {
    const { state, isStopped, agreement, accountSet } = this.#options;
    if (isStopped() || agreement.refuses(update, accountSet.kind)) return;
    if (state.apply(update)) agreement.noteApplied(update.address);
  }

  #setRead(seen: SeenAddresses, at: ProgramReadResult): SetRead {
    const { kind, selection } = this.#options.accountSet;
    return { kind, selection, seen, ...at };
  }

  /** Accounts that exist although the read left them out are queued for the slot at which they were read again. */
  async #checkMissing(read: SetRead): Promise<CheckedAbsences> {
    const { absences, queue } = this.#options;
    const checked = await absences.check(read);
    for (const update of checked.found) {
      queue.push({ slot: update.slot, run: () => this.#apply(update) });
    }
    return checked;
  }

  #closeMissing(read: SetRead, checked: CheckedAbsences): void {
    const { absences, isStopped } = this.#options;
    if (!isStopped()) absences.close(read, checked);
  }
}

const withOverlap = (slot: Slot): Slot => toSlot(slot > OVERLAP_SLOTS ? slot - OVERLAP_SLOTS : 0n);
