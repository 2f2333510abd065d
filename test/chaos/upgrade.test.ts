import { expect, test } from 'vitest';
import { ChaosRun } from '../support/chaos/chaos-run.ts';
import { hasPostgresPrograms } from '../support/chaos/postgres-process.ts';
import { upgrade } from '../support/chaos/upgrade.ts';
import { hasRedis } from '../support/processes/redis-process.ts';

/** The program of an earlier release; `npm run test:upgrade` builds it. */
const { PREVIOUS_RELEASE } = process.env;
const SEED = 1;

test.skipIf(PREVIOUS_RELEASE === undefined || !hasPostgresPrograms() || !hasRedis())(
  'an upgrade from an earlier release under load gives right answers, and loses no event and no request of this release',
  async () => {
    const run = await ChaosRun.start(PREVIOUS_RELEASE);
    try {
      expect(run.topology.members.every(({ isPrevious }) => isPrevious)).toBe(true);
      await run.runSeed(SEED, [upgrade]);
      expect(run.topology.members.some(({ isPrevious }) => isPrevious)).toBe(false);
    } catch (error) {
      console.error(run.topology.output.slice(-20_000));
      throw error;
    } finally {
      console.table(run.reports);
      await run.stop();
    }
  },
);
