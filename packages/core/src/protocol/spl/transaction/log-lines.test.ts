import { expect, test } from 'vitest';
import { TOKEN_PROGRAM } from '../programs.ts';
import { findFailedProgram, parseLoggedCalls } from './log-lines.ts';

const line = (rest: string) => `Program ${TOKEN_PROGRAM} ${rest}`;

test('calls are the lines that the cluster wrote, not those of programs', () => {
  const logs = [
    line('invoke [1]'),
    `Program log: ${line('invoke [2]')}`,
    `Program log: two lines\n${line('invoke [2]')}`,
    'Program data: AAAA',
    line('invoke [12]'),
    line('success'),
  ];
  expect(parseLoggedCalls(logs)).toEqual([
    { program: TOKEN_PROGRAM, height: 1 },
    { program: TOKEN_PROGRAM, height: 12 },
  ]);
});

test('a log that was cut tells nothing of the calls', () => {
  expect(parseLoggedCalls([line('invoke [1]'), 'Log truncated'])).toBeUndefined();
});

test('the program that failed is the first that the log says so of', () => {
  const other = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
  const logs = [
    `Program log: ${line('failed: made up')}`,
    line('failed: custom program error: 0x1'),
    `Program ${other} failed: custom program error: 0x1`,
  ];
  expect(findFailedProgram(logs)).toBe(TOKEN_PROGRAM);
  expect(findFailedProgram([line('success')])).toBeUndefined();
});
