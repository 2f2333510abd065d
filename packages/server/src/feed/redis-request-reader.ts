import { formatError, type Logger } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../chain/retry.ts';
import type { RedisConnection } from '../redis/redis-connection.ts';
import type { FeedOrigin } from './feed-transport.ts';
import { type FeedKeys, REQUEST_FIELD } from './redis-keys.ts';
import { rangeEntries, readStreamEntries, type StreamEntry } from './redis-replies.ts';
import { decodeRequest } from './request-codec.ts';

type RequestReaderOptions = {
  readonly redis: RedisConnection;
  readonly keys: FeedKeys;
  readonly log: Logger;
};

const BLOCK_MS = '1000';
const RETRY_MS = 500;
/** Further requests wait in the stream. */
const MAX_RUNNING = 64;

/** Carries out the requests that readers of the feed send over Redis. */
export class RedisRequestReader {
  readonly #options: RequestReaderOptions;
  readonly #connection: RedisConnection;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: RequestReaderOptions) {
    this.#options = options;
    this.#connection = options.redis.duplicate();
  }

  start(origin: FeedOrigin): void {
    void this.#run(origin);
  }

  close(): void {
    this.#stopping.abort();
    this.#connection.close();
  }

  async #run(origin: FeedOrigin): Promise<void> {
    const { signal } = this.#stopping;
    let last: string | undefined;
    while (!signal.aborted) {
      try {
        // whoever sent the older ones has given up
        last ??= await this.#newestId();
        for (const entry of await this.#read(last)) {
          last = entry.id;
          this.#start(entry, origin);
        }
        if (this.#running.size >= MAX_RUNNING) await Promise.race(this.#running);
      } catch {
        // the sink reports outages of Redis
        await sleepUnlessAborted(RETRY_MS, signal);
      }
    }
  }

  async #newestId(): Promise<string> {
    const { keys } = this.#options;
    const newest = await this.#connection.send([
      ...['XREVRANGE', keys.requests, '+', '-', 'COUNT', '1'],
    ]);
    return rangeEntries(newest)[0]?.id ?? '0-0';
  }

  async #read(after: string): Promise<StreamEntry[]> {
    const { keys } = this.#options;
    const command = ['XREAD', 'COUNT', `${MAX_RUNNING}`, 'BLOCK', BLOCK_MS];
    return readStreamEntries(
      await this.#connection.send([...command, 'STREAMS', keys.requests, after]),
    );
  }

  #start({ fields }: StreamEntry, origin: FeedOrigin): void {
    const { log } = this.#options;
    const work = carryOut(fields, origin)
      .catch((error: unknown) => log.warn({ reason: formatError(error) }, 'a request was ignored'))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }
}

async function carryOut(fields: StreamEntry['fields'], origin: FeedOrigin): Promise<void> {
  const request = decodeRequest(fields.get(REQUEST_FIELD)?.toString() ?? '');
  const id = fields.get('id')?.toString() ?? '';
  origin.reply(id, await origin.handle(request));
}
