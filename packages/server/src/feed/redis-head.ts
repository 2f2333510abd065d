import type { RedisConnection } from '../redis/redis-connection.ts';
import { type FeedHead, type FeedKeys, isSameStream, parseHead } from './redis-keys.ts';
import { positionOfId, rangeEntries, replyText } from './redis-replies.ts';

/** Replaces what was read before, and nothing else. */
const REPLACE = `local found = redis.call('GET', KEYS[1]) or ''
if found ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** The head as it was read. `text` is empty without one. */
export type FoundHead = { readonly text: string; readonly head: FeedHead | undefined };

type HeadOptions = { readonly redis: RedisConnection; readonly keys: FeedKeys };

/** The head of a feed, which one writer after the other replaces. */
export class RedisHead {
  readonly #options: HeadOptions;

  constructor(options: HeadOptions) {
    this.#options = options;
  }

  async read(): Promise<FoundHead> {
    const { redis, keys } = this.#options;
    const text = replyText(await redis.send(['GET', keys.head])) ?? '';
    return { text, head: parseHead(text === '' ? undefined : text) };
  }

  /** Whether it was replaced. It was not if another process has replaced it since it was read. */
  async replace(found: FoundHead, head: FeedHead): Promise<boolean> {
    const { redis, keys } = this.#options;
    const values = [found.text, JSON.stringify(head)];
    return (await redis.send(['EVAL', REPLACE, '1', keys.head, ...values])) === 1;
  }

  /** Whether the head is of this stream, and the stream has the message at the position. */
  async hasAll(stream: FeedHead, position: number): Promise<boolean> {
    const newest = await this.newestPosition(stream);
    if (newest === undefined || newest < position) return false;
    const { head } = await this.read();
    return head !== undefined && isSameStream(head, stream);
  }

  async expireSnapshot(head: FeedHead, seconds: string): Promise<void> {
    const { redis, keys } = this.#options;
    for (let index = 0; index < head.chunks; index++) {
      await redis.send(['EXPIRE', keys.chunk(head, index), seconds]);
    }
  }

  /** Position of the newest message of a stream; undefined if there is none. */
  async newestPosition(head: Pick<FeedHead, 'epoch' | 'generation'>): Promise<number | undefined> {
    const { redis, keys } = this.#options;
    const command = ['XREVRANGE', keys.messages(head), '+', '-', 'COUNT', '1'];
    const [newest] = rangeEntries(await redis.send(command));
    return newest && positionOfId(newest.id);
  }
}
