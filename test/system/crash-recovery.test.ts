import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { openEmbeddedDatabase } from '#server/history/embedded/open-embedded-database.ts';
import type { PgliteThread } from '#server/history/embedded/pglite-thread.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { catchError } from '../support/errors/catch-error.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite, onPostgres } from '../support/history/history-engines.ts';
import { dumpRows } from '../support/history/history-reads.ts';
import {
  lendingEvent,
  MIDNIGHT,
  reservePoint,
  uniqueAddress,
} from '../support/history/history-rows.ts';

const subject = uniqueAddress();
const batch = (slot: bigint): Batch => {
  const at = MIDNIGHT + slot * 60n;
  return {
    points: [reservePoint({ subject, at, slot })],
    lendingEvents: [lendingEvent({ number: Number(slot), at, slot })],
    checkpoint: { name: 'live', direction: 'newer', slot: toSlot(slot), at: toUnixSeconds(at) },
  };
};

/** Statements before the commit: begin, three resolutions, number, event, checkpoint. */
const STATEMENTS = 7;

/** Kills the thread after this many more statements. */
function killAfter(thread: PgliteThread, statements: number): void {
  const run = thread.run.bind(thread);
  let left = statements;
  vi.spyOn(thread, 'run').mockImplementation(async (statement) => {
    const result = await run(statement);
    left -= 1;
    if (left === 0) await thread.kill();
    return result;
  });
}

onPglite('a killed database thread', (engine) => {
  test('loses a batch before the commit and keeps it after the commit', async () => {
    const { folder } = await engine.separate();
    const first = await openEmbeddedDatabase({ folder, log: silentLog });
    const writer = new HistoryWriter(first.db);
    await writer.append(batch(1n));
    const before = await dumpRows(first);
    killAfter(first.thread, STATEMENTS);
    expect((await catchError(writer.append(batch(2n))))?.code).toBe('DATABASE_STOPPED');
    await first.close();

    const second = await openEmbeddedDatabase({ folder, log: silentLog });
    expect(await dumpRows(second)).toEqual(before);
    const again = new HistoryWriter(second.db);
    await again.append(batch(1n));
    killAfter(second.thread, STATEMENTS + 1);
    await again.append(batch(2n));
    await second.close();

    const third = await openEmbeddedDatabase({ folder, log: silentLog });
    expect(await dumpRows(third)).toContain(`checkpoint (live,2,${MIDNIGHT + 120n})`);
    await third.close();
  });

  test('fails running, queued and later queries, and a long query does not block the event loop', async () => {
    const { folder } = await engine.separate();
    const { db, thread, close } = await openEmbeddedDatabase({ folder, log: silentLog });
    const long = sql`select count(*) from generate_series(1, 1000000000)`;
    const outcomes = [long, sql`select 1`].map((query) => catchError(query.execute(db)));
    for (let ticks = 0; ticks < 20; ticks += 1) await after(10);
    await thread.kill();
    const later = catchError(sql`select 1`.execute(db));
    for (const outcome of [...outcomes, later]) {
      expect(await outcome).toMatchObject({
        code: 'DATABASE_STOPPED',
        message:
          'The embedded database has stopped: its thread has ended. Restart the server; committed data is safe.',
      });
    }
    await close();
  });
});

onPostgres('a terminated connection', (engine) => {
  test('leaves no part of the batch', async () => {
    const database = await engine.separate();
    const history = await database.open();
    const other = await database.open();
    const writer = new HistoryWriter(history.db);
    await writer.append(batch(1n));
    const before = await dumpRows(history);

    await other.db.transaction().execute(async (transaction) => {
      await sql`lock table checkpoint`.execute(transaction);
      const cut = expect(writer.append(batch(2n))).rejects.toMatchObject({
        code: 'HISTORY_UNAVAILABLE',
      });
      const cutWaiting = sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await cutWaiting.execute(transaction)).rows.length === 0) await after(10);
      await cut;
    });
    expect(await dumpRows(history)).toEqual(before);
    await writer.append(batch(2n));
    expect(await dumpRows(history)).toContain(`checkpoint (live,2,${MIDNIGHT + 120n})`);
    await history.close();
    await other.close();
  });
});
