import type { CoverageMap } from './coverage-map.ts';
import { runVitest } from './run-vitest.ts';
import type { MutantResult } from './try-mutant.ts';

const TIMEOUT_MS = 60 * 60_000;

/** Runs the tests that found a mutant again without it. One that fails then proves nothing. */
export async function confirmResults(
  copy: string,
  results: readonly MutantResult[],
  { tests }: CoverageMap,
): Promise<MutantResult[]> {
  const known = new Set(tests.map(({ file }) => file));
  const files = [...new Set(results.flatMap(({ by }) => by?.file ?? []))].filter((file) =>
    known.has(file),
  );
  if (files.length === 0) return [...results];
  const run = await runVitest(copy, { files, timeoutMs: TIMEOUT_MS });
  const failing = new Set(run.files.filter(({ hasPassed }) => !hasPassed).map(({ file }) => file));
  return results.map((result) =>
    result.by !== undefined && failing.has(result.by.file)
      ? { ...result, result: 'unsure' }
      : result,
  );
}
