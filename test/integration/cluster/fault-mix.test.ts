import { expect, test } from 'vitest';
import { planCase, planFault, readFaultSeeds } from '../../support/fault-mix/fault-plan.ts';
import { runFaultCase } from '../../support/fault-mix/mix-run.ts';

const names = process.env['FAULT_NAMES']?.split(',') ?? [];

test.each(readFaultSeeds())('no difference is silent under the faults of seed %i', async (seed) => {
  const report = await runFaultCase(planCase(seed));
  console.log(seed, report);
  expect(report).toMatchObject({ silent: [], wrongHistories: [], unrecovered: [] });
});

test.each(names)('no difference is silent under the fault "%s"', async (name) => {
  const report = await runFaultCase(planFault(name));
  console.log(report);
  expect(report).toMatchObject({ silent: [], wrongHistories: [], unrecovered: [] });
});
