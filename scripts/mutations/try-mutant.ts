import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCopy } from './checkout-copy.ts';
import {
  type CoverageMap,
  type CoveredTest,
  firstDifference,
  hashOf,
  scriptOf,
  testsReaching,
} from './coverage-map.ts';
import { applyMutation, describeMutation, type Mutant } from './mutation.ts';
import { costOf, planBatches } from './plan-batches.ts';
import { runVitest, type TestRun } from './run-vitest.ts';

export type MutantResult = Mutant & {
  readonly original: string;
  readonly mutated: string;
  /** `types`: only the type checker finds it. `unsure`: the test that found it also fails without it. */
  readonly result: 'found' | 'timeout' | 'types' | 'survived' | 'unreached' | 'unsure';
  /** The test file and test that failed, or what else did. */
  readonly by: { readonly file: string; readonly test: string } | undefined;
  /** How many test files reach the line, and how many of them ran. */
  readonly reaching: number;
  readonly ran: number;
  readonly seconds: number;
};

type Outcome = Pick<MutantResult, 'result' | 'by' | 'reaching' | 'ran'>;

type UsedTests = {
  readonly coverage: CoverageMap;
  readonly isUsed: (testFile: string) => boolean;
};

/** Breaks a line of the copy, runs the tests that reach it until one fails, and restores the line. */
export async function tryMutant(
  copy: string,
  mutant: Mutant,
  { coverage, isUsed }: UsedTests,
): Promise<MutantResult> {
  const startedAt = performance.now();
  const path = join(copy, mutant.file);
  const source = readFileSync(path, 'utf8');
  const script = join(copy, scriptOf(mutant.file));
  const original = readFileSync(script, 'utf8');
  try {
    writeFileSync(path, applyMutation(source, mutant));
    const outcome = await findBuiltMutant(copy, mutant, () => {
      const isCurrent = coverage.sources[mutant.file] === hashOf(source);
      const changed = firstDifference(original, readFileSync(script, 'utf8'));
      const isCompiled = scriptOf(mutant.file) !== mutant.file;
      const offset = isCurrent && isCompiled ? changed : undefined;
      const tests = testsReaching(coverage, { file: mutant.file, offset });
      return tests.filter(({ file }) => isUsed(file));
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...mutant, ...describeMutation(source, mutant), ...outcome, seconds };
  } finally {
    writeFileSync(path, source);
    buildCopy(copy);
  }
}

async function findBuiltMutant(
  copy: string,
  mutant: Mutant,
  findTests: () => readonly CoveredTest[],
): Promise<Outcome> {
  try {
    buildCopy(copy);
  } catch {
    const by = { file: 'packages/server/bin/tidegate.js', test: 'the program starts' };
    return { result: 'found', by, reaching: 0, ran: 0 };
  }
  return runTests(copy, planBatches(mutant.file, findTests()));
}

const SLOWNESS = 10;
const START_MS = 60_000;

async function runTests(
  copy: string,
  batches: readonly (readonly CoveredTest[])[],
): Promise<Outcome> {
  const reaching = batches.flat().length;
  let ran = 0;
  for (const batch of batches) {
    const run = await runVitest(copy, {
      files: batch.map(({ file }) => file),
      args: ['--bail=1'],
      timeoutMs: START_MS + SLOWNESS * costOf(batch),
    });
    ran += batch.length;
    if (run.outcome === 'timeout') return { result: 'timeout', by: undefined, reaching, ran };
    if (run.outcome === 'failed') return { result: 'found', by: failureOf(run), reaching, ran };
  }
  return { result: reaching === 0 ? 'unreached' : 'survived', by: undefined, reaching, ran };
}

function failureOf({ files, output }: TestRun): MutantResult['by'] {
  const failed =
    files.find(({ failedTest }) => failedTest !== undefined) ??
    files.find(({ hasPassed }) => !hasPassed);
  return {
    file: failed?.file ?? 'vitest',
    test: failed?.failedTest ?? (failed === undefined ? output.slice(-300) : 'the file loads'),
  };
}
