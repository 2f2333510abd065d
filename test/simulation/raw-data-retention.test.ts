import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import { RAW_BASE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint } from '#server/history/queries/checkpoints.ts';
import { pruneRaw } from '#server/history/raw/prune-raw.ts';
import { replayHistory } from '#server/indexer/jobs/replay-history.ts';
import { HistoryMaintenance } from '#server/indexer/recording/history-maintenance.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onEachEngine } from '../support/history/history-engines.ts';
import { dumpContents, dumpRows } from '../support/history/history-reads.ts';
import {
  type RecordedSimulation,
  recordSimulation,
} from '../support/history/recorded-simulation.ts';

const HOUR = 3_600n;

async function countOf({ db }: History, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}

/** All rows that a replay derives. */
const dumpDerivedRows = async (history: History): Promise<readonly string[]> =>
  (await dumpContents(history)).filter((line) => !/^(raw_|checkpoint |origin )/.test(line));

async function pruneAll({ db }: History, oldest: bigint): Promise<number> {
  let steps = 0;
  while (await pruneRaw(db, toUnixSeconds(oldest))) steps += 1;
  return steps;
}

/** The tests of an engine share one simulation and prune more and more of it. */
onEachEngine('raw data', ({ shared }) => {
  let history: History;
  let recorded: RecordedSimulation;
  let before: readonly string[] = [];
  let transactions = 0;

  beforeAll(async () => {
    history = await shared();
    recorded = await recordSimulation({ seed: 'tidegate', days: 2, minutes: 75 }, history);
    before = await dumpDerivedRows(history);
    transactions = await countOf(history, 'raw_transaction');
  });

  test('is pruned by chain time, or never if the retention is zero', async () => {
    const now = recorded.state.at().unix;
    const run = (rawRetentionDays: number) => {
      const retention = { rawRetentionDays, minuteRetentionDays: 30 };
      return new HistoryMaintenance({ history, ...retention, log: silentLog }).run(now);
    };
    const rows = await countOf(history, 'raw_step');
    await run(0);
    await run(2);
    expect(await countOf(history, 'raw_step')).toBe(rows);
    expect(await readCheckpoint(history.db, RAW_BASE_CHECKPOINT)).toBeUndefined();
    await run(1);
    const base = (await readCheckpoint(history.db, RAW_BASE_CHECKPOINT))?.unix ?? 0n;
    expect(now - base).toBeGreaterThanOrEqual(24n * HOUR);
    expect(now - base).toBeLessThan(26n * HOUR);
    expect(await countOf(history, 'raw_account')).toBeGreaterThan(50);
  });

  test('is pruned in one transaction', async () => {
    const oldest = toUnixSeconds(recorded.state.at().unix - 22n * HOUR);
    const rows = await dumpRows(history);
    await sql`create function fail_always() returns trigger language plpgsql
      as $$ begin raise exception 'no'; end $$`.execute(history.db);
    await sql`create trigger failing before insert or update on checkpoint
      for each row execute function fail_always()`.execute(history.db);
    await expect(pruneRaw(history.db, oldest)).rejects.toThrow('no');
    expect(await dumpRows(history)).toEqual(rows);
    await sql`drop trigger failing on checkpoint`.execute(history.db);
    expect(await pruneRaw(history.db, oldest)).toBe(true);
  });

  // first within the hourly steps, then up to the last minutes
  test.each([20n, 1n])(
    'is pruned by the hour, and a replay of the last %i hours derives the same rows',
    async (hours) => {
      const { registry, state } = recorded;
      const oldest = state.at().unix - hours * HOUR - 61n;
      expect(await pruneAll(history, oldest)).toBeGreaterThan(0);
      const base = await readCheckpoint(history.db, RAW_BASE_CHECKPOINT);
      expect(base?.unix).toBeLessThan(oldest);
      expect(base?.unix).toBeGreaterThan(oldest - 2n * HOUR);
      expect(await countOf(history, 'raw_transaction')).toBeLessThan(transactions);
      const left = await dumpRows(history);
      expect(await pruneAll(history, oldest)).toBe(0);
      expect(await dumpRows(history)).toEqual(left);
      await history.db
        .updateTable('vault_hour')
        .set({ holders: 0 })
        .where('slot', '>', base?.slot ?? 0n)
        .execute();
      await replayHistory({ history, registry, log: silentLog });
      expect(await dumpDerivedRows(history)).toEqual(before);
    },
  );
});
