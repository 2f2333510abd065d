import { expect, test } from 'vitest';
import { readSeed } from '../../scripts/testing/seed.ts';
import { formatProperties, formatStages } from '../../scripts/testing/stage-table.ts';
import { findStage, testStages } from '../../scripts/testing/stages.ts';
import {
  argumentsToRepeat,
  commandToRepeat,
  summarizeReport,
} from '../../scripts/testing/test-report.ts';

type Results = Parameters<typeof summarizeReport>[0];

/** A report of Vitest with the fields that are read. */
const reportOf = (testResults: readonly unknown[]): Results =>
  ({ numPassedTests: 2, numFailedTests: 1, numPendingTests: 3, testResults }) as Results;

const failedFile = {
  name: '/repo/test/a.test.ts',
  status: 'failed',
  assertionResults: [
    { status: 'passed', fullName: 'group adds up', meta: { properties: { cases: 50, ms: 12 } } },
    {
      status: 'failed',
      fullName: 'group costs $1 (or less)',
      failureMessages: [
        '\u001b[31mError: it costs $2\u001b[39m\n  because of tax\n    at a.test.ts:1:2',
      ],
      meta: {},
    },
  ],
};

test('a report has its counts, failed tests and properties, by file', () => {
  const brokenFile = {
    ...{ name: '/repo/test/b.test.ts', status: 'failed', assertionResults: [] },
    message: 'no such module',
  };
  expect(summarizeReport(reportOf([failedFile, brokenFile]), '/repo')).toEqual({
    passed: 2,
    failed: 1,
    skipped: 3,
    failures: [
      {
        file: 'test/a.test.ts',
        name: 'group costs $1 (or less)',
        reason: 'Error: it costs $2\n  because of tax',
      },
      { file: 'test/b.test.ts', name: undefined, reason: 'no such module' },
    ],
    properties: [{ file: 'test/a.test.ts', name: 'group adds up', cases: 50, ms: 12 }],
  });
});

test('a failed test is repeated by its whole name, whatever characters it has', () => {
  const [, , , pattern = ''] = argumentsToRepeat({
    file: 'test/a.test.ts',
    name: "it's [a] (b|c)* $1.5 ^\\ {2}",
  });
  expect(new RegExp(pattern).test("it's [a] (b|c)* $1.5 ^\\ {2}")).toBe(true);
  expect(new RegExp(pattern).test("it's [a] (b|c)* $1.5 ^\\ {2} and more")).toBe(false);
  expect(argumentsToRepeat({ file: 'test/b.test.ts', name: undefined })).toEqual([
    'run',
    'test/b.test.ts',
  ]);
});

test('the command that repeats a test can be pasted into a shell', () => {
  const failed = { file: 'test/a.test.ts', name: "it's 5 $HOME" };
  expect(commandToRepeat(failed, { TEST_SEED: '7', TEST_SERVICES: 'none' })).toBe(
    `TEST_SEED=7 TEST_SERVICES=none npx vitest run test/a.test.ts -t '^it'\\''s 5 \\$HOME$'`,
  );
});

test('the table has a line per stage and their sum', () => {
  const rows = [
    { name: 'static', isPassed: true, seconds: 61.2, cpuSeconds: 100 },
    {
      name: 'quick',
      isPassed: false,
      seconds: 59,
      cpuSeconds: 80.4,
      passed: 5,
      failed: 1,
      skipped: 2,
    },
  ];
  expect(formatStages(rows).split('\n')).toEqual([
    'stage            wall      CPU   passed   failed  skipped',
    'static           1:01    100 s        -        -        -',
    'quick            0:59     80 s        5        1        2   FAILED',
    'total            2:00    180 s        5        1        2   FAILED',
  ]);
});

test('the cost of properties is summed, the slowest first', () => {
  const properties = [
    { file: 'a', name: 'quick one', cases: 100, ms: 400 },
    { file: 'b', name: 'slow one', cases: 20, ms: 2_500 },
  ];
  expect(formatProperties(properties).split('\n')).toEqual([
    '2 property tests: 120 cases in 2.9 s; the slowest:',
    '  2.5 s, 20 cases: slow one',
    '  0.4 s, 100 cases: quick one',
  ]);
  expect(formatProperties([])).toBe('');
});

test('a stage is found by its name, and Vitest alone knows all tests', () => {
  const names = testStages.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.map((name) => findStage(name).name)).toEqual(names);
  expect(findStage(undefined).exclude).toEqual([]);
  expect(() => findStage('sytem')).toThrow('There is no stage "sytem". Choose from quick, ');
});

test('a seed is a whole number, and random if none is set', () => {
  expect(readSeed('4711')).toBe(4711);
  for (const text of ['', 'abc', '1.5', '-1', '1e3']) {
    expect(() => readSeed(text)).toThrow(`TEST_SEED must be a whole number, not "${text}".`);
  }
});
