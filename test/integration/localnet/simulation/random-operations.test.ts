import { afterAll, describe, expect, test } from 'vitest';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { createSvmExecutor } from '#localnet/runtime/transactions/svm-executor.ts';
import { RECORDED_BUILD_RULES } from '../../../support/golden/recorded-build.ts';
import { createComparingExecutor } from '../../../support/localnet/comparing-executor.ts';
import { isRecordedBuild, programsFolder } from '../../../support/localnet/real-programs.ts';
import type { RandomRun } from '../../../support/random/random-run.ts';
import { testRandomOperations } from '../../../support/random/test-random-operations.ts';

const model = createModelExecutor(modelPrograms());

/** For more: `RANDOM_SEEDS=50 npx vitest run test/integration/localnet/simulation/random-operations.test.ts`. */
const SEEDS = Number(process.env['RANDOM_SEEDS'] ?? 2);

describe('200 random operations of 10 wallets keep the state valid', () => {
  testRandomOperations({ executor: model, isCurrent: true, seedCount: SEEDS });
});

/** This build checks limits before the loan, and lends to positions in an obsolete reserve. */
const OLDER_DIFFERENCES: readonly RegExp[] = [
  /^klend (6089|6013) and not klend (6013|6020|6068|6084)$/,
  /^klend (6068|6104|6105) and not klend 6106$/,
  /^(success|klend \d+) and not klend 6084$/,
];

describe.skipIf(programsFolder === '')('so do they with the real programs', async () => {
  const real = programsFolder === '' ? model : await createSvmExecutor(programsFolder);
  const rules = isRecordedBuild ? createModelExecutor(modelPrograms(RECORDED_BUILD_RULES)) : model;
  const { executor, counts } = createComparingExecutor(real, rules);
  const runs = testRandomOperations({ executor, isCurrent: false, seedCount: 50 });

  test('the model matches the real programs byte for byte', () => {
    const found = [...counts.differences.keys()];
    const expected = isRecordedBuild ? OLDER_DIFFERENCES : [];
    const unexpected = found.filter((each) => !expected.some((pattern) => pattern.test(each)));
    expect(unexpected).toEqual([]);
    expect(counts.equal).toBeGreaterThan(0);
  });
  afterAll(() => {
    const different = [...counts.differences.values()].reduce((a, b) => a + b, 0);
    console.log(`${counts.equal} of ${counts.equal + different} transactions are equal`);
    console.log(worstCompute(runs));
  });
});

function worstCompute(runs: readonly RandomRun[]): string {
  const part = ({ worstCompute: { units, limit } }: RandomRun): number => units / limit;
  const worst = runs.toSorted((a, b) => part(b) - part(a))[0]?.worstCompute;
  if (worst === undefined) return 'no run has ended';
  const { units, limit, description } = worst;
  return `worst compute use: ${units} of ${limit} units without a compute budget, ${description}`;
}
