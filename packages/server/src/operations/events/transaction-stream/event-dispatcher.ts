import { CodedError } from '../../../errors.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type RecordedItem,
  type RecordedSubject,
  readLastRecorded,
  readRecordedItems,
  readSubjectItems,
  subjectName,
} from '../../../history/queries/recorded-events.ts';
import {
  comparePositions,
  type RecordedPosition,
} from '../../../history/queries/recorded-position.ts';

/** A client that gets the events of one wallet, vault or market. */
type Subscriber = {
  readonly subject: RecordedSubject;
  readonly send: (item: RecordedItem) => void;
  /** Resolves when the client has read what was sent. */
  readonly whenReady: () => Promise<void>;
  /** Events cannot be read now. */
  readonly fail: (error: unknown) => void;
  readonly isOpen: () => boolean;
};

type Subscription = Subscriber & {
  readonly name: string;
  /** Everything up to here was sent. */
  position: RecordedPosition;
  /** Whether it gets events as they are recorded; otherwise it reads those that it missed. */
  isLive: boolean;
  hasFailed: boolean;
};

/** Numbers that are read with one query, and events of a client that missed some. */
const NUMBERS_PER_READ = 50n;
const EVENTS_PER_READ = 200;
const RETRY_SECONDS = 5;

/** Reads events of a cluster once for all clients, in the order in which they were recorded. */
export class EventDispatcher {
  readonly #history: HistoryReader;
  readonly #subscriptions = new Set<Subscription>();
  /** Everything up to this number was sent to those who are live. Undefined without subscribers. */
  #position: bigint | undefined;
  #isPolling = false;

  constructor(history: HistoryReader) {
    this.#history = history;
  }

  get isIdle(): boolean {
    return this.#subscriptions.size === 0;
  }

  /** The position after all events that are recorded now. */
  async end(): Promise<RecordedPosition> {
    return { recorded: await readLastRecorded(this.#history) };
  }

  /** Sends everything after the position. Returns what ends it. */
  subscribe(subscriber: Subscriber, position: RecordedPosition): () => void {
    const name = subjectName(subscriber.subject);
    const subscription = { ...subscriber, name, position, isLive: false, hasFailed: false };
    this.#subscriptions.add(subscription);
    void this.#catchUp(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      if (this.isIdle) this.#position = undefined;
    };
  }

  /** Call it after each slot: sends what was recorded since the last call. */
  async poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.#sendRecorded();
      this.#recover();
    } catch (error) {
      for (const each of this.#subscriptions) this.#fail(each, error);
    }
    this.#isPolling = false;
  }

  async #sendRecorded(): Promise<void> {
    const last = await readLastRecorded(this.#history);
    this.#position ??= last;
    while (this.#position !== undefined && this.#position < last) {
      const after: bigint = this.#position;
      const end = after + NUMBERS_PER_READ;
      const upTo = end < last ? end : last;
      const items = await readRecordedItems(this.#history, { after, upTo });
      for (const item of items) this.#dispatch(item);
      // all subscribers may have left, and others come, during the read
      if (this.#position === after) this.#position = upTo;
    }
  }

  #dispatch(item: RecordedItem): void {
    for (const subscription of this.#subscriptions) {
      if (subscription.isLive && item.subjects.has(subscription.name)) {
        this.#send(subscription, item);
      }
    }
  }

  #send(subscription: Subscription, item: RecordedItem): void {
    if (comparePositions(item.position, subscription.position) <= 0) return;
    subscription.position = item.position;
    subscription.send(item);
  }

  /** Those that failed read again from where they are. */
  #recover(): void {
    for (const subscription of this.#subscriptions) {
      if (!subscription.hasFailed) continue;
      subscription.hasFailed = false;
      if (!subscription.isLive) void this.#catchUp(subscription);
    }
  }

  async #catchUp(subscription: Subscription): Promise<void> {
    try {
      const last = await readLastRecorded(this.#history);
      this.#position ??= last;
      if (subscription.position.recorded > this.#position) {
        subscription.fail(cursorAhead(subscription.position.recorded, this.#position));
      }
      let upTo: bigint;
      do {
        upTo = this.#position ?? 0n;
        await this.#sendMissed(subscription, upTo);
      } while (subscription.isOpen() && upTo !== this.#position);
      // nothing is dispatched between the comparison and this line
      subscription.isLive = true;
    } catch (error) {
      this.#fail(subscription, error);
    }
  }

  async #sendMissed(subscription: Subscription, upTo: bigint): Promise<void> {
    const { subject } = subscription;
    let items: readonly RecordedItem[];
    do {
      const after = subscription.position;
      const query = { subject, after, upTo, limit: EVENTS_PER_READ };
      items = await readSubjectItems(this.#history, query);
      for (const item of items) this.#send(subscription, item);
      await subscription.whenReady();
    } while (items.length === EVENTS_PER_READ && subscription.isOpen());
  }

  #fail(subscription: Subscription, error: unknown): void {
    if (subscription.hasFailed) return;
    subscription.hasFailed = true;
    subscription.fail(error);
  }
}

/** The database is a replica that is behind, or it was replaced. */
const cursorAhead = (cursor: bigint, last: bigint): CodedError =>
  new CodedError('HISTORY_INCOMPLETE', {
    what: 'this stream',
    reason: `its cursor ${cursor} is after the last recorded event (${last})`,
    retryAfterSeconds: RETRY_SECONDS,
  });
