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

test('rounding hides the error of many steps', () => {
  expect(text(addFixedDecimals(addFixedDecimals(third, third), third))).toBe('1');
  const lost = fixedDecimalFromRatio(ratio(-1n, 3n));
  expect(text(addFixedDecimals(addFixedDecimals(lost, lost), lost))).toBe('-1');
});

test('rounds half away from zero', () => {
  const rounded = (numerator: bigint) =>
    formatRatio(roundFixedDecimal(fixedDecimalFromRatio(ratio(numerator, 1000n)), 2n), 80);
  expect([1005n, 1004n, -1005n, -1004n].map(rounded)).toEqual(['1.01', '1', '-1.01', '-1']);
});

test('multiplying by one keeps the value and by zero gives zero', () => {
  expect(mulFixedDecimalByRatio(third, 7n, 7n)).toBe(third);
  expect(mulFixedDecimalByRatio(third, 0n, 0n)).toBe(0n);
  expect(text(mulFixedDecimalByRatio(fixedDecimalFromRatio(ratio(10n, 1n)), 1n, 4n))).toBe('2.5');
});

test('an empty sum is zero', () => {
  expect(addFixedDecimals(ZERO_FIXED_DECIMAL, third)).toBe(third);
});

test('a restored sum equals the stored sum', () => {
  const restored = fixedDecimalFromBits(BigInt(third.toString()));
  expect(text(addFixedDecimals(restored, addFixedDecimals(third, third)))).toBe('1');
});
