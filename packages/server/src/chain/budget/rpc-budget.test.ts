import { expect, test } from 'vitest';
import { parseRpcBudget } from './rpc-budget.ts';

test.each([
  ['10/s,2GB/day', { callsPerSecond: 10, bytesPerDay: 2_000_000_000 }],
  ['2GB/day, 10/s', { callsPerSecond: 10, bytesPerDay: 2_000_000_000 }],
  ['0.5/s', { callsPerSecond: 0.5, bytesPerDay: undefined }],
  ['1.5TB/day', { callsPerSecond: undefined, bytesPerDay: 1_500_000_000_000 }],
  ['750MB/day', { callsPerSecond: undefined, bytesPerDay: 750_000_000 }],
])('%s', (text, budget) => {
  expect(parseRpcBudget(text)).toEqual(budget);
});

test.each([
  '',
  '10',
  '10/m',
  '10/s,20/s',
  '1GB/day,2GB/day',
  '-1/s',
  '0/s',
  '0GB/day',
  '2gb/day',
  '2KB/day',
  '10/s;2GB/day',
  '1e3/s',
])('%j is not a budget', (text) => {
  expect(parseRpcBudget(text)).toBeUndefined();
});
