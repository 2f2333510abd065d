import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { JsonTestResults } from 'vitest/node';

/** A test that failed, or a whole file if it failed outside of its tests. */
export type FailedTest = {
  readonly file: string;
  readonly name: string | undefined;
  /** The beginning of the error, without its stack. */
  readonly reason: string;
};

/** A test that checks properties. */
export type PropertyCost = {
  readonly file: string;
  readonly name: string;
  readonly cases: number;
  readonly ms: number;
};

export type TestReport = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly FailedTest[];
  readonly properties: readonly PropertyCost[];
};

/** Nothing was reported, for example because Vitest could not start. */
const EMPTY: TestReport = { passed: 0, failed: 0, skipped: 0, failures: [], properties: [] };

/** Reads the report of Vitest's JSON reporter. */
export function readTestReport(path: string, root: string): TestReport {
  if (!existsSync(path)) return EMPTY;
  return summarizeReport(JSON.parse(readFileSync(path, 'utf8')), root);
}

export function summarizeReport(results: JsonTestResults, root: string): TestReport {
  const files = results.testResults.map((result) => ({
    ...result,
    file: relative(root, result.name),
  }));
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests,
    failures: files.flatMap(({ file, status, message, assertionResults }): FailedTest[] => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (failed.length > 0) {
        return failed.map(({ fullName: name, failureMessages }) => {
          return { file, name, reason: summarizeError(failureMessages?.[0] ?? '') };
        });
      }
      return status === 'failed'
        ? [{ file, name: undefined, reason: summarizeError(message) }]
        : [];
    }),
    properties: files.flatMap(({ file, assertionResults }) =>
      assertionResults.flatMap(({ fullName: name, meta: { properties } }) =>
        properties === undefined ? [] : [{ file, name, ...properties }],
      ),
    ),
  };
}

type TestName = Pick<FailedTest, 'file' | 'name'>;

const MAX_REASON_LENGTH = 2_000;
const STACK = /\n\s+at /;
const COLORS = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g');

const summarizeError = (text: string): string =>
  (text.replace(COLORS, '').split(STACK)[0] ?? '').slice(0, MAX_REASON_LENGTH);

/** The arguments of Vitest that run a failed test alone. */
export function argumentsToRepeat({ file, name }: TestName): readonly string[] {
  if (name === undefined) return ['run', file];
  return ['run', file, '-t', `^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
}

/** The command that runs a failed test alone, for a shell. */
export function commandToRepeat(failed: TestName, env: Readonly<Record<string, string>>): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return [...settings, 'npx vitest', ...argumentsToRepeat(failed).map(quote)].join(' ');
}

const quote = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
