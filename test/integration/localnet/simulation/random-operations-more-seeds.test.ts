import { describe } from 'vitest';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { testRandomOperations } from '../../../support/random/test-random-operations.ts';

const model = createModelExecutor(modelPrograms());

// In its own file, because files run in parallel.
describe('200 random operations of 10 wallets keep the state valid, with more seeds', () => {
  testRandomOperations({ executor: model, isCurrent: true, from: 25, to: 50 });
});
