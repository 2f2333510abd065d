import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatUnits } from '../../../../core/src/base/numbers/decimal.ts';
import { formatAmount, parseUnits, toUnsigned } from './amounts.ts';

test('property: an amount is read and written without loss', () => {
  assertProperty(
    fc.property(fc.bigInt(0n, 1n << 64n), fc.nat(18), (units, decimals) => {
      const text = formatUnits(units, decimals);
      expect(parseUnits(text, decimals)).toBe(units);
      expect(formatAmount(units, decimals)).toBe(text);
    }),
    100,
  );
});

test('what is not exact is refused', () => {
  expect(parseUnits('1.5', 6)).toBe(1_500_000n);
  expect(parseUnits('1.5000000', 6)).toBe(1_500_000n);
  for (const text of [
    '',
    '-1',
    '+1',
    '1e3',
    '1,5',
    ' 1',
    '.5',
    '1.',
    '0x1',
    '1.0000001',
    'U64::MAX',
  ]) {
    expect(parseUnits(text, 6)).toBeUndefined();
  }
  expect(toUnsigned(7)).toBe(7n);
  for (const value of ['', '-1', '1.5', 1.5, -1, '18446744073709551616', Number.NaN]) {
    expect(toUnsigned(value)).toBeUndefined();
  }
});
