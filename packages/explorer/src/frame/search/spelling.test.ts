import { expect, test } from 'vitest';
import { countTypos } from './spelling.ts';

test.each([
  ['liquidation', 'liquidation', 0],
  ['liqudation', 'liquidation', 1],
  ['liquiadtion', 'liquidation', 1],
  ['liquidatoin', 'liquidations', 1],
  ['likwidation', 'liquidation', 2],
  ['stedy', 'steady', 1],
  ['vitcoin', 'bitcoin', 1],
  ['reserrve', 'reserve', 1],
])('%s is %s with %i typing errors', (typed, word, count) => {
  expect(countTypos(typed, word)).toBe(count);
});

test('a word that is being typed is compared with beginnings', () => {
  expect(countTypos('likuid', 'liquidation')).toBe(1);
  expect(countTypos('loon', 'loan')).toBe(1);
  expect(countTypos('loon', 'loans')).toBeUndefined();
});

test('other words and short ones are no errors', () => {
  expect(countTypos('wallet', 'market')).toBeUndefined();
  expect(countTypos('apr', 'apy')).toBeUndefined();
  expect(countTypos('vault', 'fault')).toBe(1);
  expect(countTypos('likwidtion', 'liquidation')).toBeUndefined();
});
