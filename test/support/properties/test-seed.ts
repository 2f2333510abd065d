/**
 * The seed of the run: the order of test files and the cases of property tests. `vitest.config.ts` sets it; the report of a
 * failed test has it.
 */
export const TEST_SEED = Number(process.env['TEST_SEED'] ?? 1);
