import { expect, test } from 'vitest';
import { formatRatio, ratio } from './decimal.ts';
import {
  addFixedDecimals,
  fixedDecimalFromBits,
  fixedDecimalFromRatio,
  fixedDecimalToRatio,
  mulFixedDecimalByRatio,
  roundFixedDecimal,
  ZERO_FIXED_DECIMAL,
} from './fixed-decimal.ts';

const third = fixedDecimalFromRatio(ratio(1n, 3n));
const text = (value: Parameters<typeof fixedDecimalToRatio>[0]) =>
  formatRatio(fixedDecimalToRatio(value), 80);

test('what many steps drop is not told', () => {
  expect(text(addFixedDecimals(addFixedDecimals(third, third), third))).toBe('1');
  const lost = fixedDecimalFromRatio(ratio(-1n, 3n));
  expect(text(addFixedDecimals(addFixedDecimals(lost, lost), lost))).toBe('-1');
});

test('half of the last decimal goes away from zero', () => {
  const rounded = (numerator: bigint) =>
    formatRatio(roundFixedDecimal(fixedDecimalFromRatio(ratio(numerator, 1000n)), 2n), 80);
  expect([1005n, 1004n, -1005n, -1004n].map(rounded)).toEqual(['1.01', '1', '-1.01', '-1']);
});

test('a part of everything is everything, and of nothing is nothing', () => {
  expect(mulFixedDecimalByRatio(third, 7n, 7n)).toBe(third);
  expect(mulFixedDecimalByRatio(third, 0n, 0n)).toBe(0n);
  expect(text(mulFixedDecimalByRatio(fixedDecimalFromRatio(ratio(10n, 1n)), 1n, 4n))).toBe('2.5');
});

test('a sum starts at nothing', () => {
  expect(addFixedDecimals(ZERO_FIXED_DECIMAL, third)).toBe(third);
});

test('a sum that was kept goes on as it was', () => {
  const kept = fixedDecimalFromBits(BigInt(third.toString()));
  expect(text(addFixedDecimals(kept, addFixedDecimals(third, third)))).toBe('1');
});
