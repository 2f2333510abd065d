import { CodedError } from '../errors.ts';
import type { RedisConnection } from '../redis/redis-connection.ts';
import type { FeedRequest } from './feed-message.ts';
import type { FeedRead, FeedSnapshot, FeedSource, PositionedMessage } from './feed-transport.ts';
import { RedisHead } from './redis-head.ts';
import {
  type FeedHead,
  type FeedKeys,
  isSameStream,
  MESSAGE_FIELD,
  REQUEST_FIELD,
} from './redis-keys.ts';
import { idOfPosition, positionOfId, readStreamEntries } from './redis-replies.ts';
import { encodeRequest } from './request-codec.ts';

export type RedisFeedSourceOptions = {
  readonly redis: RedisConnection;
  readonly keys: FeedKeys;
};

const BLOCK_MS = '1000';
const BATCH = '256';
/** How often a reader checks whether another writer has taken over. */
const HEAD_CHECK_MS = 1_000;
const MAX_REQUESTS = '10000';

/** Reads a feed from Redis. Blocking reads have a connection of their own. */
export class RedisFeedSource implements FeedSource {
  readonly name = 'redis';
  readonly #options: RedisFeedSourceOptions;
  readonly #blocking: RedisConnection;
  readonly #headStore: RedisHead;
  #head: FeedHead | undefined;
  #headCheckedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RedisFeedSourceOptions) {
    this.#options = options;
    this.#blocking = options.redis.duplicate();
    this.#headStore = new RedisHead(options);
  }

  async openSnapshot(): Promise<FeedSnapshot | undefined> {
    const head = await this.#readHead();
    this.#head = head;
    if (head === undefined) return undefined;
    const { position, completeAt } = head;
    return {
      ...{ position, completeAt, chunks: () => this.#chunks(head) },
      newestPosition: async () => (await this.#headStore.newestPosition(head)) ?? completeAt,
    };
  }

  async read(after: number): Promise<FeedRead> {
    const reason = await this.#supersededBy();
    if (reason !== undefined || this.#head === undefined) {
      return { kind: 'superseded', reason: reason ?? 'no snapshot is open' };
    }
    const stream = this.#options.keys.messages(this.#head);
    const command = ['XREAD', 'COUNT', BATCH, 'BLOCK', BLOCK_MS, 'STREAMS', stream];
    const entries = readStreamEntries(await this.#blocking.send([...command, idOfPosition(after)]));
    const messages = entries.flatMap(({ id, fields }): PositionedMessage[] => {
      const bytes = fields.get(MESSAGE_FIELD);
      return bytes === undefined ? [] : [{ position: positionOfId(id), bytes }];
    });
    return { kind: 'messages', messages };
  }

  async request(id: string, request: FeedRequest): Promise<void> {
    const { redis, keys } = this.#options;
    const limit = ['MAXLEN', '~', MAX_REQUESTS];
    const fields = ['id', id, REQUEST_FIELD, encodeRequest(request)];
    await redis.send(['XADD', keys.requests, ...limit, '*', ...fields]);
  }

  close(): void {
    this.#blocking.close();
    this.#options.redis.close();
  }

  async *#chunks(head: FeedHead): AsyncIterable<Uint8Array> {
    let next = this.#chunk(head, 0);
    for (let index = 0; index < head.chunks; index++) {
      const chunk = await next;
      // on its way while this one is applied
      if (index + 1 < head.chunks) next = this.#chunk(head, index + 1);
      next.catch(() => undefined);
      yield chunk;
    }
  }

  async #chunk(head: FeedHead, index: number): Promise<Uint8Array> {
    const { redis, keys } = this.#options;
    const chunk = await redis.send(['GET', keys.chunk(head, index)]);
    if (Buffer.isBuffer(chunk)) return chunk;
    const reason = 'a part of the snapshot is missing';
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'redis', reason });
  }

  /** Why the open stream ends; undefined if it goes on. */
  async #supersededBy(): Promise<string | undefined> {
    if (performance.now() - this.#headCheckedAt < HEAD_CHECK_MS) return undefined;
    const head = await this.#readHead();
    if (head === undefined) return 'Redis has no state';
    if (this.#head !== undefined && isSameStream(head, this.#head)) return undefined;
    return 'a writer has published a new state';
  }

  async #readHead(): Promise<FeedHead | undefined> {
    const { head } = await this.#headStore.read();
    this.#headCheckedAt = performance.now();
    return head;
  }
}
