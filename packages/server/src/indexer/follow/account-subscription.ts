import { CodedError, formatError, hasCode, type Logger, type Slot } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import { retry, sleepUnlessAborted } from '../../chain/retry.ts';
import type { AccountUpdate, ChainSource, Subscription } from '../../chain/source/chain-source.ts';
import type { AccountSet } from './account-sets.ts';
import { type AccountSnapshot, readSnapshot, targetOf } from './account-snapshot.ts';
import { LargeSetReader } from './large-set-reader.ts';
import { QueuedAddresses } from './queued-addresses.ts';
import type { SlotQueue } from './slot-queue.ts';
import type { SlotReader } from './slot-reader.ts';
import { SlotUpdates } from './slot-updates.ts';
import { SyncPoint } from './sync-point.ts';
import { NEVER_READ, type ReadTime, type TimedRead } from './timed-read.ts';

export type AccountSubscriptionContext = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  readonly slotReader: SlotReader;
  readonly clock: () => number;
  readonly log: Logger;
  readonly random: () => number;
  /** First pause after a failed read; it doubles. */
  readonly retryMs: number;
  /** Attempts before a read fails. */
  readonly attempts: number;
  /** Called with an update that a subscription delivered, immediately before state has it. */
  readonly onUpdate?: ((update: AccountUpdate) => void) | undefined;
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
  readonly #queued = new QueuedAddresses();
  readonly #syncPoint: SyncPoint;
  readonly #stopping = new AbortController();
  readonly #updates = new SlotUpdates();
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
    const { scan, isLarge } = accountSet;
    if (scan === undefined || isLarge !== true) return;
    this.#reader = new LargeSetReader({
      ...context,
      accountSet: { ...accountSet, scan },
      isQueued: (address) => this.#queued.has(address),
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
        onAccount: (update) => this.#queueUpdate(update),
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
      this.#noteRead(read, 'complete');
      return read.value;
    }
    const snapshot = await this.#readSnapshot();
    this.#context.queue.requireSlot(snapshot.slot);
    await this.#applyInChunks(snapshot);
    return snapshot.accounts.length;
  }

  /** Queues all changes for the slot that it returns. They are applied together when that slot is complete. */
  async reload(): Promise<Slot> {
    if (this.#reader !== undefined) return this.#queueChanges(this.#reader);
    const snapshot = await this.#readSnapshot();
    this.#context.queue.push({ slot: snapshot.slot, run: () => this.#applyAll(snapshot) });
    return snapshot.slot;
  }

  /** Applies changes that no update announced, such as closed accounts. */
  async rescan(timeoutMs: number): Promise<void> {
    const { queue } = this.#context;
    if (this.#reader !== undefined) {
      await queue.waitForSlot(await this.#queueUnannounced(this.#reader), timeoutMs);
      return;
    }
    const snapshot = await this.#readSnapshot();
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

  async #readSnapshot(): Promise<AccountSnapshot> {
    const { source } = this.#context;
    const read = await this.#read((minSlot) => readSnapshot(source, this.accountSet, minSlot));
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

  async #applyInChunks({ slot, accounts }: AccountSnapshot): Promise<void> {
    for (let start = 0; start < accounts.length; start += CHUNK) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.isStopped) return;
      for (const each of accounts.slice(start, start + CHUNK)) this.#applyOne({ ...each, slot });
    }
    this.#closeMissing(slot);
  }

  #applyAll({ slot, accounts }: AccountSnapshot): void {
    if (this.isStopped) return;
    for (const each of accounts) this.#applyOne({ ...each, slot });
    this.#closeMissing(slot);
  }

  #queueUpdate(update: AccountUpdate): void {
    const { address, slot } = update;
    this.#queued.add(address);
    const apply = this.#updates.add(slot, () => {
      this.#context.onUpdate?.(update);
      this.#applyOne(update);
    });
    const run = () => {
      this.#queued.remove(address);
      apply();
    };
    this.#context.queue.push({ slot, run });
  }

  /** An account that is followed by address may be of any kind, so `only` restricts it. */
  #applyOne(update: AccountUpdate): void {
    const { state } = this.#context;
    const { kind, selection } = this.accountSet;
    const { address, account } = update;
    if (selection.addresses?.has(address) === false) return;
    // a stream announces every account that a transaction closes, whatever it was
    const isAnyClosed = account === undefined && state.unreadable.get(address) === undefined;
    const isRestricted = selection.addresses !== undefined || isAnyClosed;
    state.apply(isRestricted ? { ...update, onlyKind: kind } : update);
  }

  #closeMissing(slot: Slot): void {
    const { kind, selection } = this.accountSet;
    this.#context.state.closeOlder(kind, selection, slot);
  }
}

/** Whether a retry may succeed. */
const isTransient = (error: unknown): boolean =>
  error instanceof CodedError && !hasCode(error, 'SOURCE_REFUSES');
