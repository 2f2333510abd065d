import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { openHistoryOfWriter } from '#server/composition/recording/open-cluster-history.ts';
import type { FeedOrigin } from '#server/feed/feed-transport.ts';
import { encodeMessage } from '#server/feed/message-codec.ts';
import { RedisFeedSink } from '#server/feed/redis-feed-sink.ts';
import { RedisHead } from '#server/feed/redis-head.ts';
import { feedKeys } from '#server/feed/redis-keys.ts';
import { awaitWriterTerm, type WriterTerm } from '#server/history/fencing/writer-election.ts';
import { connectRedis } from '#server/redis/connect-redis.ts';
import type { RedisConnection } from '#server/redis/redis-connection.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { findPostgresServer, runStatements } from '../../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../../support/history/test-databases.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/processes/redis-process.ts';

const postgres = await findPostgresServer();
const SCHEMA = 'tidegate_localnet';
const keys = feedKeys('tidegate', 'localnet');
const EPOCH_TABLE = `${SCHEMA}.writer_epoch`;

/** One process as the writer of a database, from its election on. */
type Writer = {
  readonly name: string;
  readonly term: WriterTerm;
  readonly errors: string[];
  readonly notes: string[];
  /** Publishes a slot. Each message is a reason to write a snapshot. */
  publish(): void;
  end(): Promise<void>;
};

describe.skipIf(postgres === undefined || !hasRedis())('writers of a feed in Redis', () => {
  let redis: RedisProcess;
  let connection: RedisConnection;
  let head: RedisHead;
  const removals: (() => Promise<void>)[] = [];
  const urls: string[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    connection = await connectRedis(redis.url, { log: silentLog });
    await new Promise<void>((resolve) => connection.onConnect(resolve));
    head = new RedisHead({ redis: connection, keys });
    for (let i = 0; i < 2; i++) {
      const { location, remove } = await createPostgresDatabase(postgres ?? '');
      removals.push(remove);
      urls.push(location.url ?? '');
    }
  });

  beforeEach(() => connection.send(['FLUSHALL']));

  afterAll(async () => {
    connection.close();
    await redis.stop();
    for (const remove of removals) await remove();
  });

  async function elect(name: string, url = urls[0] ?? ''): Promise<Writer> {
    const never = new AbortController();
    onTestFinished(() => never.abort());
    const election = { url, schemas: [SCHEMA], log: silentLog };
    const term = await awaitWriterTerm(election, never.signal);
    if (term === undefined) throw new Error('it was not elected');
    const { isHeld } = term;
    const { history, epoch } = await openHistoryOfWriter(url, 'localnet', {
      isHeld,
      log: silentLog,
    });
    await history.close();
    term.watchEpoch(SCHEMA, epoch);
    const writer = await publishAs(name, term);
    onTestFinished(writer.end);
    return writer;
  }

  async function publishAs(
    name: string,
    term: WriterTerm,
    isWriter = () => term.confirm(),
  ): Promise<Writer> {
    const [errors, notes]: [string[], string[]] = [[], []];
    const sink = new RedisFeedSink({
      redis: await connectRedis(redis.url, { log: silentLog }),
      keys,
      name,
      isWriter,
      log: {
        ...silentLog,
        info: (_, message) => void notes.push(message),
        error: (_, message) => void errors.push(message),
      },
      renewal: { messages: 1, bytes: 1 },
      rivalSilentMs: 500,
    });
    const message = encodeMessage({
      accounts: [],
      at: { slot: toSlot(7n), unix: toUnixSeconds(1_790_000_000n) },
    });
    const publish = () => sink.publish(message);
    const origin: FeedOrigin = {
      async *snapshot() {
        yield message;
      },
      flush: publish,
      handle: async () => undefined,
      reply: () => undefined,
    };
    sink.open(origin);
    const end = () => sink.close().then(() => term.release());
    return { name, term, errors, notes, publish, end };
  }

  const published = async () => (await head.read()).head?.writer;
  const untilPublished = (writer: Writer) => expect.poll(published).toBe(writer.name);
  const setEpoch = (epoch: number) =>
    runStatements(urls[0] ?? '', `update ${EPOCH_TABLE} set epoch = ${epoch}`);

  /** Until it has published once more, so that the others have had the time to. */
  async function untilPublishedAgain(writer: Writer): Promise<void> {
    const before = (await head.read()).head?.snapshot ?? 0;
    writer.publish();
    await expect.poll(async () => (await head.read()).head?.snapshot).toBeGreaterThan(before);
    expect(await published()).toBe(writer.name);
  }

  test('the next writer publishes although the database was restored', async () => {
    const first = await elect('first');
    await untilPublished(first);
    await first.end();
    await setEpoch(3);
    await untilPublished(await elect('second'));
    const { rows } = await query(urls[0] ?? '', `select epoch from ${EPOCH_TABLE}`);
    // the epochs of the time after the backup are not given again
    expect(Number(rows[0]?.['epoch'])).toBeGreaterThan(1_700_000_000_000);
  });

  test('a writer whose database is restored under it ends its term', async () => {
    const writer = await elect('first');
    await untilPublished(writer);
    await setEpoch(3);
    expect(await writer.term.lost).toContain('restored or replaced: its epoch is 3/');
    expect(writer.term.isHeld()).toBe(false);
    await writer.end();
    await untilPublished(await elect('second'));
  });

  test('a writer that was replaced publishes nothing, also before its successor has published', async () => {
    const frozen = await elect('frozen');
    await untilPublished(frozen);
    // as a process that does not know that its session has ended
    let answer: () => void = () => undefined;
    const question = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { term } = frozen;
    const late = await publishAs('late', term, () => question.then(() => term.confirm()));
    onTestFinished(late.end);
    await query(urls[0] ?? '', TERMINATE);
    await frozen.term.lost;
    answer();
    await expect.poll(() => late.notes).toContainEqual(expect.stringContaining('not the writer'));
    expect(await published()).toBe('frozen');
    const successor = await elect('successor');
    await untilPublished(successor);
    for (const writer of [frozen, late]) writer.publish();
    await untilPublishedAgain(successor);
    await untilPublishedAgain(successor);
    await connection.send(['FLUSHALL']);
    for (const writer of [frozen, late, successor]) writer.publish();
    await untilPublished(successor);
  });

  test('a process that was confirmed before its successor published does not replace it', async () => {
    const first = await elect('first');
    await untilPublished(first);
    const found = await head.read();
    await first.end();
    const second = await elect('second');
    await untilPublished(second);
    if (found.head === undefined) throw new Error('no head');
    expect(await head.replace(found, { ...found.head, snapshot: 9 })).toBe(false);
    expect(await published()).toBe('second');
  });

  test('of two databases the later writer publishes, and the other one when that ends', async () => {
    const first = await elect('first');
    await untilPublished(first);
    const other = await elect('other', urls[1]);
    await untilPublished(other);
    first.publish();
    await expect.poll(() => first.errors).toEqual([expect.stringContaining('another database')]);
    await untilPublishedAgain(other);
    expect(other.errors).toEqual([]);
    await other.end();
    await untilPublished(first);
  });

  test.each([
    ['empty', async () => ''],
    ['an older one', async (older: string) => older],
  ])('Redis that is %s gets the state of the writer again', async (_, restored) => {
    const first = await elect('first');
    await untilPublished(first);
    const older = await head.read();
    await first.end();
    const writer = await elect('second');
    await untilPublished(writer);
    await connection.send(['FLUSHALL']);
    const text = await restored(older.text);
    if (text !== '') await connection.send(['SET', keys.head, text]);
    writer.publish();
    await untilPublished(writer);
  });

  test('the epochs of two writers differ although Redis has forgotten the first', async () => {
    const first = await elect('first');
    await untilPublished(first);
    const before = (await head.read()).head;
    await first.end();
    await connection.send(['FLUSHALL']);
    const second = await elect('second');
    await untilPublished(second);
    expect((await head.read()).head?.epoch).not.toBe(before?.epoch);
  });
});

/** Ends the sessions that elect. */
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
