import { describe } from 'vitest';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { testRandomOperations } from '../../../support/random/test-random-operations.ts';

const model = createModelExecutor(modelPrograms());

// in a file of its own, because files run side by side
describe('200 random acts of 10 wallets leave everything sound, with more seeds', () => {
  testRandomOperations({ executor: model, isCurrent: true, from: 25, to: 50 });
});
