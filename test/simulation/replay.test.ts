import { expect, test } from 'vitest';
import { replayHistory } from '#server/indexer/jobs/replay-history.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onEachEngine } from '../support/history/history-engines.ts';
import { dumpContents } from '../support/history/history-reads.ts';
import { recordSimulation } from '../support/history/recorded-simulation.ts';

onEachEngine('a replay', ({ fresh }) => {
  test('derives the same rows from raw data', async () => {
    const database = await fresh();
    const history = await database.open();
    const { registry } = await recordSimulation({ seed: 'tidegate', days: 1, minutes: 3 }, history);
    const before = await dumpContents(history);
    const checkpoint = { name: 'queue-events-since', slot: 9n, at: 9n };
    await history.db.insertInto('checkpoint').values(checkpoint).execute();
    await history.db.deleteFrom('lending_event').execute();
    await history.db.updateTable('vault_hour').set({ holders: 0 }).execute();
    await history.db.deleteFrom('reserve_minute').execute();
    const done = await replayHistory({ history, registry, log: silentLog });
    expect(done.transactions).toBeGreaterThan(20);
    expect(await dumpContents(history)).toEqual(before);
    await history.close();
  });
});
