import fc from 'fast-check';
import { TestRunner } from 'vitest';
import { TEST_SEED } from './test-seed.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Checked cases of the properties of a test, and the time that they took. */
    properties?: { cases: number; ms: number };
  }
}

/** Real time, also in tests with fake timers. */
const now = performance.now.bind(performance);

/** `npm run test:all` checks more cases than `npm test`: as many times the number that a test states. */
export const PROPERTY_FACTOR = Number(process.env['PROPERTY_FACTOR'] ?? 1);

type Options<Values> = Pick<fc.Parameters<Values>, 'seed' | 'path' | 'examples'>;

/**
 * Checks a property with a number of generated cases. The seed of the run decides them, unless the test has its own; the
 * report of the run has the number and their cost.
 */
export function assertProperty<Values>(
  property: fc.IProperty<Values>,
  cases: number,
  options: Options<Values> = {},
): void {
  const startedAt = now();
  fc.assert(property, { seed: TEST_SEED, ...options, numRuns: cases * PROPERTY_FACTOR });
  noteCost(cases * PROPERTY_FACTOR, now() - startedAt);
}

/** Like `assertProperty`, for a property that waits. */
export async function assertAsyncProperty<Values>(
  property: fc.IAsyncProperty<Values>,
  cases: number,
  options: Options<Values> = {},
): Promise<void> {
  const startedAt = now();
  await fc.assert(property, { seed: TEST_SEED, ...options, numRuns: cases * PROPERTY_FACTOR });
  noteCost(cases * PROPERTY_FACTOR, now() - startedAt);
}

function noteCost(cases: number, ms: number): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta === undefined) return;
  const { properties } = meta;
  meta.properties = {
    cases: (properties?.cases ?? 0) + cases,
    ms: (properties?.ms ?? 0) + ms,
  };
}
