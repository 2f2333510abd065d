import { decodeMessage } from '#server/feed/message-codec.ts';
import { feedKeys, MESSAGE_FIELD, parseHead } from '#server/feed/redis-keys.ts';
import { positionOfId, rangeEntries, replyText } from '#server/feed/redis-replies.ts';
import { connectRedis } from '#server/redis/connect-redis.ts';
import type { RedisConnection } from '#server/redis/redis-connection.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';

/** What a writer has sent to Redis. */
export type FeedFigures = {
  readonly messages: number;
  readonly updates: number;
  readonly bytes: number;
  /** Bytes of the newest snapshot, which each new api process reads once. */
  readonly snapshotBytes: number;
  readonly newestPosition: number;
};

/** Messages after a position, and the newest snapshot. */
export async function readFeedFigures(
  redisUrl: string,
  afterPosition: number,
): Promise<FeedFigures> {
  const redis = await connectRedis(redisUrl, { log: silentLog });
  try {
    await new Promise<void>((resolve) => redis.onConnect(resolve));
    return await readFigures(redis, afterPosition);
  } finally {
    redis.close();
  }
}

async function readFigures(redis: RedisConnection, after: number): Promise<FeedFigures> {
  const keys = feedKeys('tidegate', 'localnet');
  const head = parseHead(replyText(await redis.send(['GET', keys.head])));
  if (head === undefined) throw new Error('the writer has published no state');
  const stored = await redis.send(['XRANGE', keys.messages(head), `${after + 1}-0`, '+']);
  const entries = rangeEntries(stored);
  const texts = entries.flatMap(({ fields }) => fields.get(MESSAGE_FIELD) ?? []);
  let snapshotBytes = 0;
  for (let index = 0; index < head.chunks; index++) {
    snapshotBytes += Number(await redis.send(['STRLEN', keys.chunk(head, index)]));
  }
  const last = entries.at(-1);
  return {
    messages: entries.length,
    updates: texts.reduce((sum, bytes) => sum + decodeMessage(bytes).accounts.length, 0),
    bytes: texts.reduce((sum, { length }) => sum + length, 0),
    snapshotBytes,
    newestPosition: last === undefined ? after : positionOfId(last.id),
  };
}
