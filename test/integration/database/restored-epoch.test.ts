import { expect, onTestFinished, test, vi } from 'vitest';
import { RecordingTerms } from '#server/composition/recording/recording-terms.ts';
import type { RecordingWriter } from '#server/composition/recording/recording-writer.ts';
import { awaitWriterTerm } from '#server/history/fencing/writer-election.ts';
import { beginWriterEpoch } from '#server/history/fencing/writer-fence.ts';
import { openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { findPostgresServer, runStatements } from '../../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../../support/history/test-databases.ts';

const server = await findPostgresServer();
const testWithPostgres = test.skipIf(server === undefined);

const SCHEMA = 'restored';
const PATIENTLY = { interval: 50 };

/** The row of the epoch as a dump of the same term has it, in a table of its own or in the one that exists. */
const ways = [
  [
    'the table is created again',
    `create table ${SCHEMA}.other (like ${SCHEMA}.writer_epoch including all);
     insert into ${SCHEMA}.other select * from ${SCHEMA}.writer_epoch;
     drop table ${SCHEMA}.writer_epoch;
     alter table ${SCHEMA}.other rename to writer_epoch`,
  ],
  [
    'its rows are replaced',
    `create temporary table saved as select * from ${SCHEMA}.writer_epoch;
     delete from ${SCHEMA}.writer_epoch;
     insert into ${SCHEMA}.writer_epoch select * from saved`,
  ],
] as const;

async function createDatabase(): Promise<string> {
  const { location, remove } = await createPostgresDatabase(server ?? '');
  onTestFinished(remove);
  return location.url ?? '';
}

async function open(url: string, isShared: boolean) {
  const history = await openHistory({ url, schema: SCHEMA, isShared, folder: '', log: silentLog });
  onTestFinished(() => history.close());
  return history;
}

async function openServed(url: string) {
  const history = await open(url, true);
  const { role } = history;
  if (role === undefined) throw new Error('it is not shared');
  await role.known;
  return { history, role };
}

testWithPostgres.each(ways)(
  'a term ends when the database is restored from a dump of the same term and %s',
  async (_, restore) => {
    const url = await createDatabase();
    const { db } = await open(url, false);
    const never = new AbortController();
    const election = { url, schemas: [SCHEMA], log: silentLog };
    const term = await awaitWriterTerm(election, never.signal);
    onTestFinished(() => term?.release());
    term?.watchEpoch(SCHEMA, await beginWriterEpoch(db));
    expect(await term?.confirm()).toBe(true);
    await runStatements(url, restore);
    expect(await term?.lost).toContain('the database was restored or replaced');
  },
);

testWithPostgres.each(ways)('no transaction of the term commits when %s', async (_, restore) => {
  const url = await createDatabase();
  const { db } = await open(url, false);
  const epoch = await beginWriterEpoch(db);
  const fence = { epoch, isHeld: () => true };
  const history = await openHistory({ url, schema: SCHEMA, folder: '', log: silentLog, fence });
  onTestFinished(() => history.close());
  const write = () => history.db.transaction().execute(async () => 'written');
  expect(await write()).toBe('written');
  await runStatements(url, restore);
  await expect(write()).rejects.toMatchObject({ cause: { code: 'NOT_WRITER' } });
});

testWithPostgres.each(ways)(
  'a server begins another term when %s, and one that only reads forgets its ids',
  async (_, restore) => {
    const url = await createDatabase();
    const writer = await openServed(url);
    await expect.poll(() => writer.role.state, PATIENTLY).toBe('writer');
    const reader = await openServed(url);
    await expect.poll(() => reader.role.newest, PATIENTLY).toBe(writer.role.epoch);
    const before = writer.role.epoch;
    const forget = vi.fn<() => void>();
    const opened = vi.fn<() => void>();
    const open = () => {
      opened();
      return { start: async () => undefined, stop: async () => undefined } as RecordingWriter;
    };
    const parts = { onBegin: () => undefined, log: silentLog };
    const reading = new RecordingTerms({ ...parts, ...reader, open, onNewEpoch: forget });
    const writing = new RecordingTerms({ ...parts, ...writer, open, onNewEpoch: () => undefined });
    for (const terms of [reading, writing]) {
      await terms.start(undefined);
      onTestFinished(() => terms.stop());
    }
    expect([forget.mock.calls.length, opened.mock.calls.length]).toEqual([1, 1]);

    await runStatements(url, restore);
    await expect.poll(() => writer.role.epoch, PATIENTLY).not.toBe(before);
    await expect.poll(() => reader.role.newest, PATIENTLY).toBe(writer.role.epoch);
    await expect.poll(() => opened.mock.calls.length, PATIENTLY).toBe(2);
    expect(forget.mock.calls.length).toBeGreaterThan(1);
    expect(reader.role.state).toBe('reader');
  },
);
