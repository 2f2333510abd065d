import { expect, test } from 'vitest';
import { TOKEN_PROGRAM } from '../programs.ts';
import { findFailedProgram, parseCallLogs, parseLoggedCalls } from './call-tree.ts';

const line = (rest: string) => `Program ${TOKEN_PROGRAM} ${rest}`;

test('parses calls from lines of the cluster, not of programs', () => {
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

test('a truncated log has no calls', () => {
  expect(parseLoggedCalls([line('invoke [1]'), 'Log truncated'])).toBeUndefined();
});

test('the lines of a call exclude those of its inner calls', () => {
  const other = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
  const logs = [
    `Program ${other} invoke [1]`,
    'Program log: before',
    line('invoke [2]'),
    'Program log: inner',
    line('consumed 5 of 10 compute units'),
    line('success'),
    `Program log: ${line('success')}`,
    'Program data: AAAA',
    `Program ${other} success`,
  ];
  expect(parseCallLogs(logs)).toEqual([
    { program: other, height: 1, lines: ['before', line('success')] },
    { program: TOKEN_PROGRAM, height: 2, lines: ['inner'] },
  ]);
  expect(parseCallLogs([...logs, 'Log truncated'])).toBeUndefined();
});

test('the failed program is the first failure in the log', () => {
  const other = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
  const logs = [
    `Program log: ${line('failed: made up')}`,
    line('failed: custom program error: 0x1'),
    `Program ${other} failed: custom program error: 0x1`,
  ];
  expect(findFailedProgram(logs)).toBe(TOKEN_PROGRAM);
  expect(findFailedProgram([line('success')])).toBeUndefined();
});
