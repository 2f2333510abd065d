import { formatError, type Logger } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../chain/retry.ts';
import { CodedError } from '../errors.ts';
import type { RedisConnection } from '../redis/redis-connection.ts';
import { redisProblemOf } from '../redis/redis-problem.ts';
import type { FeedOrigin, FeedSink, PositionedMessage } from './feed-transport.ts';
import { QueuedMessages } from './queued-messages.ts';
import { type FoundHead, RedisHead } from './redis-head.ts';
import {
  chooseEpoch,
  type FeedHead,
  type FeedKeys,
  isSameStream,
  MESSAGE_FIELD,
} from './redis-keys.ts';
import { idOfPosition } from './redis-replies.ts';
import { RedisRequestReader } from './redis-request-reader.ts';
import { waitUntilSilent } from './rival-writer.ts';
import { type Renewal, SnapshotSchedule } from './snapshot-schedule.ts';

export type RedisFeedSinkOptions = {
  readonly redis: RedisConnection;
  readonly keys: FeedKeys;
  /** Whether this process is the writer, as the database says now. Rejects with a CodedError if it does not respond. */
  readonly isWriter: () => Promise<boolean>;
  /** The process and its database, for the messages of others. */
  readonly name: string;
  readonly log: Logger;
  /** Overrides when a new snapshot is written, for tests. */
  readonly renewal?: Renewal;
  /** Overrides when a writer of another database counts as gone, for tests. */
  readonly rivalSilentMs?: number;
};

/** While Redis is away, this much is retained; beyond it, a new snapshot is written afterwards. */
const MAX_QUEUED_BYTES = 32 * 2 ** 20;
const RETRY_MS = 500;
/** Keys of a deployment that was removed vanish by themselves. */
const KEY_SECONDS = '86400';
/** Time for readers that still load a replaced snapshot. */
const REPLACED_SECONDS = '300';

/**
 * Writes a feed to a Redis stream, with a snapshot beside it. Of two writers of one database, the one that the database
 * confirms replaces the head of the other, so that no order of numbers has to survive a restored database or Redis. Of two
 * databases, the writer that began later publishes.
 */
export class RedisFeedSink implements FeedSink {
  readonly #options: RedisFeedSinkOptions;
  readonly #stopping = new AbortController();
  readonly #requests: RedisRequestReader;
  #origin: FeedOrigin | undefined;
  readonly #queue = new QueuedMessages(MAX_QUEUED_BYTES);
  /** Of the newest message, sent or not. */
  #position = 0;
  readonly #headStore: RedisHead;
  readonly #schedule: SnapshotSchedule;
  /** Chosen with the first generation, and again if another writer has begun meanwhile. */
  #epoch: number | undefined;
  #generation = 0;
  /** The last snapshot of this generation. */
  #head: FeedHead | undefined;
  /** Whether readers have had a head with this epoch. */
  #hasPublished = false;
  /** The head of a writer of another database, which publishes instead. */
  #rival: FeedHead | undefined;
  #isStreamCreated = false;
  /** Whether Redis may have lost messages. */
  #isSuspect = false;
  #isLost = true;
  #isReplaced = false;
  #isFailing = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: RedisFeedSinkOptions) {
    this.#options = options;
    this.#requests = new RedisRequestReader(options);
    this.#headStore = new RedisHead(options);
    this.#schedule = new SnapshotSchedule(options.renewal);
    options.redis.onConnect(() => {
      this.#isSuspect = true;
    });
  }

  open(origin: FeedOrigin): void {
    this.#origin = origin;
    this.#requests.start(origin);
    this.#running = this.#run(origin);
  }

  publish(bytes: Uint8Array): void {
    this.#position += 1;
    if (this.#isReplaced || this.#rival !== undefined || this.#origin === undefined) return;
    if (!this.#queue.add({ position: this.#position, bytes })) this.#lose();
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#wake?.();
    this.#requests.close();
    this.#options.redis.close();
    await this.#running;
  }

  async #run(origin: FeedOrigin): Promise<void> {
    const { log } = this.#options;
    while (!this.#stopping.signal.aborted && !this.#isReplaced) {
      try {
        if (this.#rival !== undefined) await this.#awaitRivalEnd(this.#rival);
        await this.#synchronize(origin);
        if (this.#isFailing) log.info({}, 'state is published again');
        this.#isFailing = false;
        if (!this.#isLost) await this.#nextMessage();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (!this.#isFailing) this.#warn(error);
        this.#isFailing = true;
        this.#isSuspect = true;
        await sleepUnlessAborted(RETRY_MS, this.#stopping.signal);
      }
    }
  }

  /** An error with a code is that of the database, which says who writes. */
  #warn(error: unknown): void {
    const action = error instanceof CodedError ? undefined : redisProblemOf(error).action;
    const reason = formatError(error);
    this.#options.log.warn({ reason, ...(action && { action }) }, 'state is not published');
  }

  async #synchronize(origin: FeedOrigin): Promise<void> {
    if (this.#isSuspect && !this.#isLost && !(await this.#isIntact())) this.#lose();
    this.#isSuspect = false;
    if (this.#isLost) await this.#beginGeneration();
    await this.#drain();
    if (this.#head === undefined || this.#schedule.isDue()) await this.#writeSnapshot(origin);
  }

  /** What is queued is part of the next snapshot. */
  #lose(): void {
    this.#queue.clear();
    this.#isLost = true;
  }

  async #beginGeneration(): Promise<void> {
    this.#epoch ??= chooseEpoch((await this.#headStore.read()).head, Date.now());
    this.#lose();
    this.#isLost = false;
    this.#generation += 1;
    this.#head = undefined;
    this.#isStreamCreated = false;
  }

  /** Whether Redis still has the last message and the last snapshot. */
  async #isIntact(): Promise<boolean> {
    if (!this.#isStreamCreated || this.#head === undefined) return false;
    return await this.#headStore.hasAll(this.#head, this.#position - this.#queue.length);
  }

  async #drain(): Promise<void> {
    for (let message = this.#queue.first; message !== undefined; message = this.#queue.first) {
      await this.#append(message);
      if (this.#queue.remove(message)) this.#schedule.countMessage(message.bytes.length);
    }
  }

  async #append({ position, bytes }: PositionedMessage): Promise<void> {
    const create = this.#isStreamCreated ? ['NOMKSTREAM'] : [];
    const command = ['XADD', this.#stream(), ...create, idOfPosition(position), MESSAGE_FIELD];
    try {
      const id = await this.#options.redis.send([...command, Buffer.from(bytes)]);
      if (id !== null) {
        this.#isStreamCreated = true;
        return;
      }
    } catch (error) {
      // an earlier attempt, whose reply did not arrive, has appended it
      if (formatError(error).includes('equal or smaller')) return;
      throw error;
    }
    await this.#onMissingStream();
  }

  /** A successor removes the stream of a writer that does not know of it yet. */
  async #onMissingStream(): Promise<void> {
    this.#lose();
    const { head } = await this.#headStore.read();
    const isOther = head !== undefined && !isSameStream(head, this.#streamName());
    if (!isOther) throw new Error('Redis has lost the stream');
    if (!(await this.#options.isWriter())) this.#stopForSuccessor();
  }

  async #writeSnapshot(origin: FeedOrigin): Promise<void> {
    const { redis, keys, name } = this.#options;
    const { epoch, generation } = this.#streamName();
    const old = this.#head;
    const snapshot = (old?.snapshot ?? 0) + 1;
    const position = this.#position;
    let chunks = 0;
    this.#schedule.begin();
    for await (const chunk of origin.snapshot()) {
      const key = keys.chunk({ epoch, generation, snapshot }, chunks);
      await redis.send(['SET', key, Buffer.from(chunk), 'EX', KEY_SECONDS]);
      this.#schedule.countChunk(chunk.length);
      chunks += 1;
      await this.#drain();
    }
    origin.flush();
    const completeAt = this.#position;
    await this.#drain();
    if (this.#isLost) return;
    const head = { epoch, generation, snapshot, chunks, position, completeAt, writer: name };
    if (!(await this.#publishHead(head))) return;
    this.#schedule.complete();
    await this.#expireReplaced(old);
  }

  /**
   * Whether it is published. The database is asked between the read and the write of the head: a process that has been
   * replaced before is refused by the database, and one that is replaced afterwards fails if its successor has published.
   */
  async #publishHead(head: FeedHead): Promise<boolean> {
    const { redis, keys, isWriter } = this.#options;
    let found: FoundHead;
    do {
      found = await this.#headStore.read();
      if (!(await isWriter())) return this.#stopForSuccessor();
      if (found.head !== undefined && found.head.epoch > head.epoch)
        return this.#onNewer(found.head);
    } while (!(await this.#headStore.replace(found, head)));
    this.#head = head;
    this.#hasPublished = true;
    await redis.send(['EXPIRE', this.#stream(), KEY_SECONDS]);
    const previous = found.head;
    if (previous === undefined || isSameStream(previous, head)) return true;
    await redis.send(['EXPIRE', keys.messages(previous), REPLACED_SECONDS]);
    await this.#expireReplaced(previous);
    return true;
  }

  #stopForSuccessor(): false {
    this.#isReplaced = true;
    this.#lose();
    this.#options.log.info({}, 'this process is not the writer any more: it publishes no state');
    return false;
  }

  /** The head of an earlier writer of this database if nothing was published before, otherwise that of another database. */
  #onNewer(found: FeedHead): false {
    this.#epoch = undefined;
    this.#lose();
    if (!this.#hasPublished) return false;
    this.#rival = found;
    const action = 'Give all index processes one DATABASE_URL, or each deployment its own Redis.';
    this.#options.log.error(
      { writer: found.writer, action },
      'a writer with another database publishes its state in this Redis: this one waits',
    );
    return false;
  }

  /** Then this process publishes again. */
  async #awaitRivalEnd(rival: FeedHead): Promise<void> {
    const { rivalSilentMs } = this.#options;
    await waitUntilSilent(this.#headStore, {
      signal: this.#stopping.signal,
      silentMs: rivalSilentMs,
    });
    this.#rival = undefined;
    this.#hasPublished = false;
    if (this.#stopping.signal.aborted) return;
    this.#options.log.info({ writer: rival.writer }, 'the other writer has ended');
  }

  /** Messages are retained from the previous snapshot on, for readers that still load it. */
  async #expireReplaced(old: FeedHead | undefined): Promise<void> {
    if (old === undefined) return;
    await this.#headStore.expireSnapshot(old, REPLACED_SECONDS);
    if (this.#head === undefined || !isSameStream(old, this.#head)) return;
    await this.#options.redis.send(['XTRIM', this.#stream(), 'MINID', idOfPosition(old.position)]);
  }

  #streamName(): Pick<FeedHead, 'epoch' | 'generation'> {
    if (this.#epoch === undefined) throw new Error('no generation has begun');
    return { epoch: this.#epoch, generation: this.#generation };
  }

  #stream = (): string => this.#options.keys.messages(this.#streamName());

  async #nextMessage(): Promise<void> {
    if (this.#queue.length > 0 || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
