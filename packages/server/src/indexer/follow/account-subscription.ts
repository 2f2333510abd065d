import { formatError, type Logger, type Slot } from '@tidegate/core/base';
import { retry, sleepUnlessAborted } from '../../chain/retry.ts';
import type { AccountUpdate, ChainSource, Subscription } from '../../chain/source/chain-source.ts';
import { CodedError, hasCode } from '../../errors.ts';
import type { AccountSet } from './account-sets.ts';
import { type AccountSnapshot, readSnapshot, targetOf } from './account-snapshot.ts';
import { type CheckedSnapshot, checkSnapshot } from './checked-snapshot.ts';
import { type AbsenceCheck, slotAfter } from './checks/absence-check.ts';
import { LargeSetReader } from './large-set-reader.ts';
import { SetUpdates, type SetUpdatesContext } from './set-updates.ts';
import type { SlotReader } from './slot-reader.ts';
import { SyncPoint } from './sync-point.ts';
import { NEVER_READ, type ReadTime, type TimedRead } from './timed-read.ts';
import { completeSnapshot } from './whole-snapshot.ts';

export type AccountSubscriptionContext = SetUpdatesContext & {
  readonly source: ChainSource;
  readonly slotReader: SlotReader;
  readonly absences: AbsenceCheck;
  readonly clock: () => number;
  readonly log: Logger;
  readonly random: () => number;
  /** First pause after a failed read; it doubles. */
  readonly retryMs: number;
  /** Attempts before a read fails. */
  readonly attempts: number;
};

export type OnGap = (subscription: AccountSubscription, reason: string) => void;

/** Accounts that are applied before yielding to the event loop. */
const CHUNK = 1_000;

/**
 * Keeps one set of accounts in state up to date. Subscribes first and reads second, so that no update is missed. Reads
 * again after a gap: a small set as a whole, of a large one what changed. Not all sources announce closed accounts, so the
 * set is also rescanned periodically; accounts that are missing then were closed.
 */
export class AccountSubscription {
  readonly accountSet: AccountSet;
  readonly #context: AccountSubscriptionContext;
  readonly #onGap: OnGap;
  /** Undefined for a set that is read as a whole. */
  readonly #reader: LargeSetReader | undefined;
  readonly #syncPoint: SyncPoint;
  readonly #stopping = new AbortController();
  readonly #updates: SetUpdates;
  #subscription: Subscription | undefined;
  /** When updates began to arrive, as an event of the slot reader. */
  #active = 0;
  #lastRead = NEVER_READ;
  #lastListing = NEVER_READ;

  constructor(accountSet: AccountSet, context: AccountSubscriptionContext, onGap: OnGap) {
    this.accountSet = accountSet;
    this.#context = context;
    this.#onGap = onGap;
    this.#syncPoint = new SyncPoint(context.queue);
    this.#updates = new SetUpdates(accountSet, context);
    const { scan, isLarge } = accountSet;
    if (scan === undefined || isLarge !== true) return;
    this.#reader = new LargeSetReader({
      ...context,
      accountSet: { ...accountSet, scan },
      isQueued: (address) => this.#updates.isQueued(address),
      isStopped: () => this.isStopped,
      sleep: (ms) => sleepUnlessAborted(ms, this.#stopping.signal),
    });
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Of the accounts, or of what changed. */
  get lastRead(): ReadTime {
    return this.#lastRead;
  }

  /** The last time that closed accounts were looked for. */
  get lastListing(): ReadTime {
    return this.#lastListing;
  }

  /** False if changes are known only by `reload`. */
  get receivesUpdates(): boolean {
    return this.#syncPoint.receivesUpdates;
  }

  /** Resolves when updates arrive. Rejects if it is stopped or if the source rejects the subscription. */
  async subscribe(): Promise<void> {
    const { source, slotReader } = this.#context;
    const onGap = (reason: string) => {
      this.#active = slotReader.noteEvent();
      this.#syncPoint.noteGap(this.#subscription?.sendsUpdates?.() ?? true);
      this.#onGap(this, reason);
    };
    await this.#withRetries(async () => {
      const subscription = source.subscribe(targetOf(this.accountSet), {
        onAccount: (update) => {
          const isStreamed = !(this.#subscription?.isPolled?.() ?? false);
          // before the first read, state lacks what an earlier slot has
          const isProof = isStreamed && this.#lastRead !== NEVER_READ;
          this.#updates.queue(update, { isProof, isStreamed });
        },
        onSlot: () => undefined,
        onSlotDead: (slot) => {
          if (!this.#updates.cancel(slot)) return;
          this.#syncPoint.noteRollBack();
          onGap(`the cluster abandoned slot ${slot}`);
        },
        onGap,
      });
      this.#subscription = subscription;
      await subscription.ready;
      this.#active = slotReader.noteEvent();
      this.#syncPoint.receivesUpdates = subscription.sendsUpdates?.() ?? true;
    });
  }

  /** First load, while nobody reads state: applies accounts immediately. Returns their number. */
  async load(): Promise<number> {
    const reader = this.#reader;
    if (reader !== undefined) {
      const read = await this.#read((minSlot) => reader.load(minSlot));
      // a listing follows, which shows whether the read left accounts out; the sum of shares shows it otherwise
      this.#noteRead(read, this.accountSet.kind === 'shares' ? 'complete' : 'changes');
      return read.value;
    }
    const snapshot = await this.#readSnapshot('first');
    await this.#applyInChunks(snapshot);
    this.#queueFound(snapshot);
    return snapshot.accounts.length;
  }

  /** Queues all changes for the slot that it returns. They are applied together when that slot is complete. */
  async reload(): Promise<Slot> {
    if (this.#reader !== undefined) return this.#queueChanges(this.#reader);
    const snapshot = await this.#readSnapshot();
    this.#context.queue.push({ slot: snapshot.slot, run: () => this.#applyAll(snapshot) });
    return this.#queueFound(snapshot);
  }

  /** Applies changes that no update announced, such as closed accounts. */
  async rescan(timeoutMs: number): Promise<void> {
    const { queue } = this.#context;
    if (this.#reader !== undefined) {
      await queue.waitForSlot(await this.#queueUnannounced(this.#reader), timeoutMs);
      return;
    }
    const snapshot = await this.#readSnapshot();
    this.#queueFound(snapshot);
    await queue.waitForSlot(snapshot.slot, timeoutMs);
    await this.#applyInChunks(snapshot);
  }

  stop(): void {
    this.#stopping.abort();
    this.#subscription?.stop();
  }

  async #queueChanges(reader: LargeSetReader): Promise<Slot> {
    const since = this.#syncPoint.take();
    try {
      const read = await this.#read((minSlot) => reader.queueChanges(minSlot, since));
      const { slot, findsClosed } = read.value;
      this.#noteRead(read, findsClosed ? 'complete' : 'changes');
      return slot;
    } catch (error) {
      this.#syncPoint.restore(since);
      throw error;
    }
  }

  async #queueUnannounced(reader: LargeSetReader): Promise<Slot> {
    if (this.accountSet.kind !== 'shares') {
      const { value, time } = await this.#read((minSlot) => reader.queueClosed(minSlot));
      this.#lastListing = time;
      return value;
    }
    // the sum of the shares shows that one is wrong, but not which, so all are compared
    const read = await this.#read((minSlot) => reader.queueChanges(minSlot, undefined));
    this.#noteRead(read, 'complete');
    return read.value.slot;
  }

  async #readSnapshot(when: 'first' | 'again' = 'again'): Promise<CheckedSnapshot> {
    const { source, queue, absences, agreement } = this.#context;
    const { scan } = this.accountSet;
    const read = await this.#read(async (minSlot) => {
      const snapshot = await readSnapshot(source, this.accountSet, minSlot);
      if (when === 'again') {
        await agreement.confirm(updatesOf(snapshot), snapshot.slot);
        return checkSnapshot(snapshot, this.accountSet, absences);
      }
      const whole = await completeSnapshot(source, scan, snapshot);
      queue.requireSlot(whole.newestSlot);
      return checkSnapshot(whole, this.accountSet, absences);
    });
    this.#noteRead(read, 'complete');
    return read.value;
  }

  /** Reads at a slot after everything that has arrived, and since updates arrive. A gap during the read causes another. */
  #read<Value>(read: (minSlot: Slot) => Promise<Value>): Promise<TimedRead<Value>> {
    const { slotReader, queue, clock } = this.#context;
    return this.#withRetries(async () => {
      const startedAt = clock();
      await slotReader.readAfter(this.#active);
      const minSlot = queue.newestSlot;
      const value = await read(minSlot);
      const at = clock();
      return { value, minSlot, time: { at, ms: at - startedAt } };
    });
  }

  /** `complete`: closed accounts were found, too. */
  #noteRead({ minSlot, time }: TimedRead<unknown>, kind: 'complete' | 'changes'): void {
    this.#syncPoint.noteRead(minSlot);
    this.#lastRead = time;
    if (kind === 'complete') this.#lastListing = time;
  }

  async #withRetries<Value>(attempt: () => Promise<Value>): Promise<Value> {
    const { log, retryMs, random, attempts } = this.#context;
    const attemptUnlessStopped = async () => {
      this.#requireRunning();
      const value = await attempt();
      this.#requireRunning();
      return value;
    };
    return await retry(attemptUnlessStopped, {
      firstMs: retryMs,
      random,
      shouldRetry: (error, failures) =>
        !this.isStopped && failures < attempts && isTransient(error),
      onRetry: (error) => {
        const { kind, selection } = this.accountSet;
        log.warn({ kind, ...selection, error: formatError(error) }, 'accounts were not read');
      },
      sleep: (ms) => sleepUnlessAborted(ms, this.#stopping.signal),
    });
  }

  #requireRunning(): void {
    if (!this.isStopped) return;
    const source = this.#context.source.name;
    throw new CodedError('SOURCE_UNAVAILABLE', { source, reason: 'the subscription was stopped' });
  }

  async #applyInChunks(snapshot: CheckedSnapshot): Promise<void> {
    const { slot, accounts } = snapshot;
    for (let start = 0; start < accounts.length; start += CHUNK) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.isStopped) return;
      for (const each of accounts.slice(start, start + CHUNK))
        this.#updates.apply({ ...each, slot });
    }
    this.#closeMissing(snapshot);
  }

  #applyAll(snapshot: CheckedSnapshot): void {
    if (this.isStopped) return;
    const { slot, accounts } = snapshot;
    for (const each of accounts) this.#updates.apply({ ...each, slot });
    this.#closeMissing(snapshot);
  }

  /** Accounts that were found later than the others. Returns the slot that has all of them. */
  #queueFound({ slot, missing }: CheckedSnapshot): Slot {
    for (const update of missing.found) {
      const run = () => {
        if (!this.isStopped) this.#updates.apply(update);
      };
      this.#context.queue.push({ slot: update.slot, run });
    }
    return slotAfter(slot, missing);
  }

  #closeMissing({ read, missing }: CheckedSnapshot): void {
    this.#context.absences.close(read, missing);
  }
}

const updatesOf = ({ slot, accounts }: AccountSnapshot): AccountUpdate[] =>
  accounts.map((each) => ({ ...each, slot }));

/** Whether a retry may succeed. */
const isTransient = (error: unknown): boolean =>
  error instanceof CodedError && !hasCode(error, 'SOURCE_REFUSES');
