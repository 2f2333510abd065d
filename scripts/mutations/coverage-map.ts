import { createHash } from 'node:crypto';
import { includesOffset, type Ranges } from './covered-ranges.ts';

export type CoveredTest = {
  readonly file: string;
  readonly costMs: number;
  /** False if the test only passes without instrumentation: it may reach every line. */
  readonly isMeasured: boolean;
};

/** Which test files execute which code of which compiled files. */
export type CoverageMap = {
  readonly tests: readonly CoveredTest[];
  /** Hashes of the source files. */
  readonly sources: Readonly<Record<string, string>>;
  /** By compiled file: executed ranges with the indexes of the tests that execute exactly these. */
  readonly scripts: Readonly<Record<string, readonly (readonly [Ranges, readonly number[]])[]>>;
};

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64').slice(0, 16);

/** The file that tests load for a source file. */
export function scriptOf(source: string): string {
  return isExplorer(source)
    ? source
    : source.replace(/^(packages\/\w+)\/src\//, '$1/dist/').replace(/\.ts$/, '.js');
}

const isExplorer = (source: string): boolean => source.startsWith('packages/explorer/');
const isBrowserTest = (file: string): boolean => file.startsWith('test/browser/');

type Position = {
  /** Path of the source file. */
  readonly file: string;
  /** Where the compiled file changes; `undefined` if that is not known. */
  readonly offset: number | undefined;
};

/** The tests that execute a position. Without a known offset, those that load the file. */
export function testsReaching(map: CoverageMap, { file, offset }: Position): CoveredTest[] {
  const reached = new Set<number>();
  for (const [ranges, tests] of map.scripts[scriptOf(file)] ?? []) {
    const isReached = offset === undefined || includesOffset(ranges, offset);
    if (isReached) for (const test of tests) reached.add(test);
  }
  return map.tests.filter(
    (test, index) =>
      reached.has(index) || !test.isMeasured || (isExplorer(file) && isBrowserTest(test.file)),
  );
}

/** The offset of the first difference, `undefined` if there is none. */
export function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  let offset = 0;
  while (a[offset] === b[offset]) offset += 1;
  return offset;
}
