import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChaosRun, type MemberFigures } from '../support/chaos/chaos-run.ts';
import { planFaults, readChaosSettings } from '../support/chaos/fault-plan.ts';
import { faults } from '../support/chaos/faults.ts';
import { hasPostgresPrograms } from '../support/chaos/postgres-process.ts';
import { hasRedis } from '../support/processes/redis-process.ts';

const { seeds } = readChaosSettings();

test.skipIf(process.env['CHAOS_FAULTS'] !== undefined)(
  'any three seeds in turn have every fault',
  () => {
    for (const first of [1, 4, 7]) {
      const planned = [0, 1, 2].flatMap((i) => planFaults(first + i));
      expect(new Set(planned)).toEqual(new Set(faults));
    }
  },
);

/** A process may need this much more than before the first fault. */
const MEMORY = { factor: 1.5, megabytes: 60 };
const MAX_NEW_DESCRIPTORS = 40;

describe.skipIf(!hasPostgresPrograms() || !hasRedis())(
  'two writers and three api processes',
  () => {
    let run: ChaosRun;
    let before: MemberFigures;

    beforeAll(async () => {
      run = await ChaosRun.start();
      before = run.figures();
    });

    afterAll(async () => {
      console.table(run.reports);
      console.table(run.figures());
      await run.stop();
    });

    test.each(seeds)(
      'give right answers and lose no event under the faults of seed %i',
      async (seed) => {
        try {
          await run.runSeed(seed);
        } catch (error) {
          console.error(run.topology.output.slice(-20_000));
          throw error;
        }
        for (const [name, { megabytes, descriptors }] of Object.entries(run.figures())) {
          const first = before[name];
          if (first === undefined) continue;
          const maxMegabytes = first.megabytes * MEMORY.factor + MEMORY.megabytes;
          expect(megabytes, `memory of ${name}`).toBeLessThan(maxMegabytes);
          expect(descriptors, `descriptors of ${name}`).toBeLessThan(
            first.descriptors + MAX_NEW_DESCRIPTORS,
          );
        }
      },
    );
  },
);
