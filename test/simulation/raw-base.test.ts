import { expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { pruneRaw } from '#server/history/raw/prune-raw.ts';
import { replayHistory } from '#server/indexer/jobs/replay-history.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { dumpContents } from '../support/history/history-reads.ts';
import { recordSimulation } from '../support/history/recorded-simulation.ts';
import { SIMULATION_END } from '../support/localnet/simulated-genesis.ts';

const PLAN = { seed: 'tidegate', days: 2 };
/** Within an hour, and within the steps of one row. */
const OLDEST = toUnixSeconds(SIMULATION_END.unix - 20n * 3_600n - 61n);

/** All rows but the steps, which may start with whole accounts or with differences from the raw accounts. */
const dumpWithoutSteps = async (history: History): Promise<readonly string[]> =>
  (await dumpContents(history)).filter((line) => !line.startsWith('raw_step '));

onPglite('a simulation that does not store old raw data', ({ fresh }) => {
  test('leaves what pruning leaves, and a replay derives the same rows', async () => {
    const pruned = await (await fresh()).open();
    await recordSimulation(PLAN, pruned);
    while (await pruneRaw(pruned.db, OLDEST));
    const expected = await dumpWithoutSteps(pruned);
    await pruned.close();
    expect(expected.filter((line) => line.startsWith('raw_account ')).length).toBeGreaterThan(50);

    const history = await (await fresh()).open();
    const { registry } = await recordSimulation({ ...PLAN, rawSince: OLDEST }, history);
    expect(await dumpWithoutSteps(history)).toEqual(expected);
    const { steps } = await replayHistory({ history, registry, log: silentLog });
    expect(steps).toBeGreaterThan(20);
    expect(await dumpWithoutSteps(history)).toEqual(expected);
    // the next pruning continues from there
    expect(await pruneRaw(history.db, toUnixSeconds(OLDEST + 7_200n))).toBe(true);
    await history.close();
  });
});
