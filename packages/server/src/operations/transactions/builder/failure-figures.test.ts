import { expect, test } from 'vitest';
import { withUnit } from './failure-figures.ts';

test.each([
  ['usd', '49992.275999999999987', '49992.2 USD'],
  ['usd', '1234567.891', '1234567 USD'],
  ['usd', '0.000123456789', '0.000123456 USD'],
  ['usd', '0', '0 USD'],
  ['ratio', '0.79999999999999999999', '0.799999'],
  ['ratio', '0.75', '0.75'],
  ['token', '10095.928210001', '10095.928210001 SOL'],
  ['seconds', '12', '12 s'],
] as const)('a sentence has %s %s as %s', (unit, value, text) => {
  expect(withUnit(value, { unit, symbol: 'SOL', mint: null })).toBe(text);
});
