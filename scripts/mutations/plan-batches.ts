import { dirname } from 'node:path';
import type { CoveredTest } from './coverage-map.ts';

const FIRST_FILES = 3;
const SECOND_BATCH_MS = 20_000;
/** Each further batch may cost this many times the one before. */
const GROWTH = 4;

/** Test files in the order in which they probably find a mutant of `source` soonest, in growing batches. */
export function planBatches(source: string, tests: readonly CoveredTest[]): CoveredTest[][] {
  const ordered = tests.toSorted(
    (a, b) => distance(source, a) - distance(source, b) || a.costMs - b.costMs,
  );
  const batches = [ordered.slice(0, FIRST_FILES)];
  let budget = SECOND_BATCH_MS;
  let batch: CoveredTest[] = [];
  for (const test of ordered.slice(FIRST_FILES)) {
    if (batch.length > 0 && costOf([...batch, test]) > budget) {
      batches.push(batch);
      batch = [];
      budget *= GROWTH;
    }
    batch.push(test);
  }
  return [...batches, batch].filter(({ length }) => length > 0);
}

export const costOf = (tests: readonly CoveredTest[]): number =>
  tests.reduce((sum, { costMs }) => sum + costMs, 0);

const EXPENSIVE_MS = 10_000;
const PROCESS_TESTS = /^test\/(system|browser|packages|end-to-end)\//;

/** The test beside the file, tests of its folder, of its package, others, those that start processes or may not reach it. */
function distance(source: string, { file, costMs, isMeasured }: CoveredTest): number {
  if (file.replace('.test.', '.') === source.replace(/\.tsx$/, '.ts')) return 0;
  if (!isMeasured) return 6;
  if (PROCESS_TESTS.test(file)) return 5;
  if (costMs > EXPENSIVE_MS) return 4;
  if (dirname(file) === dirname(source)) return 1;
  return packageFolder(file) === packageFolder(source) ? 2 : 3;
}

const packageFolder = (file: string): string => file.split('/').slice(0, 2).join('/');
