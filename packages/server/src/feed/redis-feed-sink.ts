import { formatError, type Logger } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../chain/retry.ts';
import type { RedisConnection } from '../redis/redis-connection.ts';
import type { FeedOrigin, FeedSink, PositionedMessage } from './feed-transport.ts';
import {
  type FeedHead,
  type FeedKeys,
  isSameStream,
  MESSAGE_FIELD,
  parseHead,
} from './redis-keys.ts';
import { idOfPosition, positionOfId, rangeEntries, replyText } from './redis-replies.ts';
import { RedisRequestReader } from './redis-request-reader.ts';

export type RedisFeedSinkOptions = {
  readonly redis: RedisConnection;
  readonly keys: FeedKeys;
  /** Higher than that of every earlier writer. */
  readonly epoch: number;
  readonly log: Logger;
  /** Overrides when a new snapshot is written, for tests. */
  readonly renewal?: { readonly messages: number; readonly bytes: number };
};

/** A reader that starts has to apply at most the messages of two such stretches. */
const RENEWAL = { messages: 1_500, bytes: 64 * 2 ** 20 };
/** While Redis is away, this much is retained; beyond it, a new snapshot is written afterwards. */
const MAX_QUEUED_BYTES = 32 * 2 ** 20;
const RETRY_MS = 500;
/** Keys of a deployment that was removed vanish by themselves. */
const KEY_SECONDS = '86400';
/** Time for readers that still load a replaced snapshot. */
const REPLACED_SECONDS = '300';

/** A writer that was replaced must not overwrite the head of its successor. */
const SET_HEAD = `local head = redis.call('GET', KEYS[1])
if head and cjson.decode(head).epoch > tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1`;

/** Writes a feed to a Redis stream, with a snapshot beside it. */
export class RedisFeedSink implements FeedSink {
  readonly #options: RedisFeedSinkOptions;
  readonly #stopping = new AbortController();
  readonly #requests: RedisRequestReader;
  #origin: FeedOrigin | undefined;
  #queue: PositionedMessage[] = [];
  #queuedBytes = 0;
  /** Of the newest message, sent or not. */
  #position = 0;
  #generation = 0;
  /** The last snapshot of this generation. */
  #head: FeedHead | undefined;
  #sinceSnapshot = { messages: 0, bytes: 0 };
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
    if (this.#isReplaced || this.#origin === undefined) return;
    this.#queue.push({ position: this.#position, bytes });
    this.#queuedBytes += bytes.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#lose();
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
        await this.#synchronize(origin);
        if (this.#isFailing) log.info({}, 'state is published again');
        this.#isFailing = false;
        await this.#nextMessage();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (!this.#isFailing) log.warn({ reason: formatError(error) }, 'state is not published');
        this.#isFailing = true;
        this.#isSuspect = true;
        await sleepUnlessAborted(RETRY_MS, this.#stopping.signal);
      }
    }
  }

  async #synchronize(origin: FeedOrigin): Promise<void> {
    if (this.#isSuspect && !this.#isLost && !(await this.#isIntact())) this.#lose();
    this.#isSuspect = false;
    if (this.#isLost) this.#beginGeneration();
    await this.#drain();
    const { messages, bytes } = this.#options.renewal ?? RENEWAL;
    const { messages: sentMessages, bytes: sentBytes } = this.#sinceSnapshot;
    const isDue = this.#head === undefined || sentMessages >= messages || sentBytes >= bytes;
    if (isDue) await this.#writeSnapshot(origin);
  }

  /** What is queued is part of the next snapshot. */
  #lose(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#isLost = true;
  }

  #beginGeneration(): void {
    this.#lose();
    this.#isLost = false;
    this.#generation += 1;
    this.#head = undefined;
    this.#isStreamCreated = false;
  }

  /** Whether Redis still has the last message and the last snapshot. */
  async #isIntact(): Promise<boolean> {
    const { redis, keys } = this.#options;
    if (!this.#isStreamCreated || this.#head === undefined) return false;
    const sent = this.#position - this.#queue.length;
    const newest = await redis.send(['XREVRANGE', this.#stream(), '+', '-', 'COUNT', '1']);
    const [last] = rangeEntries(newest);
    if (last === undefined || positionOfId(last.id) < sent) return false;
    const head = parseHead(replyText(await redis.send(['GET', keys.head])));
    return head !== undefined && isSameStream(head, this.#head);
  }

  async #drain(): Promise<void> {
    for (let message = this.#queue[0]; message !== undefined; message = this.#queue[0]) {
      await this.#append(message);
      // it may have been dropped meanwhile
      if (this.#queue[0] !== message) continue;
      this.#queue.shift();
      this.#queuedBytes -= message.bytes.length;
      const { messages, bytes } = this.#sinceSnapshot;
      this.#sinceSnapshot = { messages: messages + 1, bytes: bytes + message.bytes.length };
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
    this.#lose();
    throw new Error('Redis has lost the stream');
  }

  async #writeSnapshot(origin: FeedOrigin): Promise<void> {
    const { redis, keys, epoch } = this.#options;
    const generation = this.#generation;
    const old = this.#head;
    const snapshot = (old?.snapshot ?? 0) + 1;
    const position = this.#position;
    let chunks = 0;
    for await (const chunk of origin.snapshot()) {
      const key = keys.chunk({ epoch, generation, snapshot }, chunks);
      await redis.send(['SET', key, Buffer.from(chunk), 'EX', KEY_SECONDS]);
      chunks += 1;
      await this.#drain();
    }
    origin.flush();
    const completeAt = this.#position;
    await this.#drain();
    if (this.#isLost) return;
    await this.#publishHead({ epoch, generation, snapshot, chunks, position, completeAt });
    await this.#expireReplaced(old);
  }

  async #publishHead(head: FeedHead): Promise<void> {
    const { redis, keys, log } = this.#options;
    const previous = parseHead(replyText(await redis.send(['GET', keys.head])));
    const script = ['EVAL', SET_HEAD, '1', keys.head, JSON.stringify(head), `${head.epoch}`];
    if ((await redis.send(script)) !== 1) {
      this.#isReplaced = true;
      log.warn({ epoch: head.epoch }, 'another writer publishes state: this one has stopped');
      return;
    }
    this.#head = head;
    this.#sinceSnapshot = { messages: 0, bytes: 0 };
    await redis.send(['EXPIRE', this.#stream(), KEY_SECONDS]);
    if (previous === undefined || isSameStream(previous, head)) return;
    await redis.send(['EXPIRE', keys.messages(previous), REPLACED_SECONDS]);
    await this.#expireReplaced(previous);
  }

  /** Messages are retained from the previous snapshot on, for readers that still load it. */
  async #expireReplaced(old: FeedHead | undefined): Promise<void> {
    const { redis, keys } = this.#options;
    if (old === undefined) return;
    for (let index = 0; index < old.chunks; index++) {
      await redis.send(['EXPIRE', keys.chunk(old, index), REPLACED_SECONDS]);
    }
    if (this.#head === undefined || !isSameStream(old, this.#head)) return;
    await redis.send(['XTRIM', this.#stream(), 'MINID', idOfPosition(old.position)]);
  }

  #stream(): string {
    const { keys, epoch } = this.#options;
    return keys.messages({ epoch, generation: this.#generation });
  }

  async #nextMessage(): Promise<void> {
    if (this.#queue.length > 0 || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
