import { PACKAGES } from './candidates.ts';
import type { MutantResult } from './try-mutant.ts';

/** One line for a mutant. */
export function describeResult(result: MutantResult): string {
  const { number, file, line, original, mutated, by, reaching, ran, seconds } = result;
  const found = by === undefined ? '' : ` by ${by.file} > ${by.test}`;
  return [
    `${number}. ${result.result}${found} (${ran} of ${reaching} test files, ${seconds} s)`,
    `   ${file}:${line} (${result.operator})`,
    `   - ${original}`,
    `   + ${mutated}`,
  ].join('\n');
}

const RESULTS = ['found', 'timeout', 'types', 'survived', 'unreached', 'unsure'] as const;

/** Counts by package, and the mutants that nothing finds. */
export function summarize(results: readonly MutantResult[]): string {
  const rows = [...PACKAGES, 'all'].map((name) => {
    const own = results.filter((result) => name === 'all' || result.package === name);
    return [name, ...RESULTS.map((kind) => own.filter(({ result }) => result === kind).length)];
  });
  const table = [['', ...RESULTS], ...rows].map((row) =>
    row.map((cell) => String(cell).padEnd(COLUMN_WIDTH)).join(''),
  );
  const missed = results.filter(({ result }) => MISSED.has(result));
  return [...table, ...missed.map(describeResult)].join('\n');
}

const COLUMN_WIDTH = 11;
const MISSED: ReadonlySet<MutantResult['result']> = new Set(['survived', 'unreached', 'unsure']);
