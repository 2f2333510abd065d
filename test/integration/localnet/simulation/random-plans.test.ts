import { describe, expect, test } from 'vitest';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { createSvmExecutor } from '#localnet/runtime/transactions/svm-executor.ts';
import { RECORDED_BUILD_RULES } from '../../../support/golden/recorded-build.ts';
import { createComparingExecutor } from '../../../support/localnet/comparing-executor.ts';
import { isRecordedBuild, programsFolder } from '../../../support/localnet/real-programs.ts';
import { simulatedGenesis } from '../../../support/localnet/simulated-genesis.ts';
import { PlanRun } from '../../../support/random/plan-run.ts';

const GENESIS_SEED = 'random operations';
const SEEDS = ['0', '1', '2', '3'];

const genesis = simulatedGenesis(GENESIS_SEED);
const model = createModelExecutor(modelPrograms());

describe('the model executes plans as they are previewed', () => {
  test.each(SEEDS)('multiply, deleverage, and a full exit, seed %s', async (seed) => {
    await new PlanRun({ genesis, executor: model, seed }).leverageAndExit();
  });
});

describe.skipIf(programsFolder === '')(
  'the real programs accept the same transactions',
  async () => {
    const real = programsFolder === '' ? model : await createSvmExecutor(programsFolder);
    const rules = isRecordedBuild
      ? createModelExecutor(modelPrograms(RECORDED_BUILD_RULES))
      : model;
    const { executor, counts } = createComparingExecutor(real, rules);
    test.each(SEEDS)('multiply, deleverage, and a full exit, seed %s', async (seed) => {
      await new PlanRun({ genesis, executor, seed, isCurrent: false }).leverageAndExit();
    });
    test('and leave the same bytes as the model', () => {
      expect([...counts.differences]).toEqual([]);
      expect(counts.equal).toBeGreaterThan(20);
    });
  },
);
