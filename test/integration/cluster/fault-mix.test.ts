import { describe, expect, test } from 'vitest';
import {
  DEFAULT_FAULT_SEEDS,
  type FaultPlan,
  nodeFaults,
  planCase,
  planFault,
  readFaultSeeds,
} from '../../support/fault-mix/fault-plan.ts';
import { runFaultCase } from '../../support/fault-mix/mix-run.ts';

/** Faults that are tried alone. */
const names = process.env['FAULT_NAMES']?.split(',') ?? [];
const isVerbose = process.env['FAULT_REPORTS'] !== undefined;

async function expectNothingSilent(plan: FaultPlan): Promise<void> {
  const report = await runFaultCase(plan);
  if (isVerbose) console.log(plan.seed, report);
  expect(report).toMatchObject({ silent: [], wrongHistories: [], unrecovered: [] });
}

test('the cases of CI have every fault, and there are no two of one name', () => {
  const all = nodeFaults.map(({ name }) => name);
  const planned = DEFAULT_FAULT_SEEDS.flatMap((seed) => planCase(seed).faults);
  expect(new Set(planned.map(({ name }) => name))).toEqual(new Set(all));
  expect(new Set(all).size).toBe(all.length);
});

describe('a difference from the cluster is marked, or gone in the stated time', () => {
  test.each(readFaultSeeds())('under the faults of seed %i', (seed) =>
    expectNothingSilent(planCase(seed)),
  );

  test.each(names)('under the fault "%s"', (name) => expectNothingSilent(planFault(name)));
});
