import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, type Ratio, ratio } from './decimal.ts';
import { compareRatios } from './ratio.ts';
import { powRatio } from './ratio-power.ts';

const text = (value: Ratio): string => formatRatio(value, 50);

/** Whether |a / b - 1| is below 10^-digits, in integer arithmetic. */
function agree(a: Ratio, b: Ratio, digits: bigint): boolean {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator];
  const distance = left > right ? left - right : right - left;
  return distance * 10n ** digits < right;
}

test('computes the square root of two to fifty digits', () => {
  expect(text(powRatio(ratio(2n, 1n), ratio(1n, 2n)))).toBe(
    '1.4142135623730950488016887242096980785696718753769',
  );
});

test('computes 2 ^ 1000 and 2 ^ -1000', () => {
  const big = powRatio(ratio(2n, 1n), ratio(1000n, 1n));
  expect(agree(big, ratio(2n ** 1000n, 1n), 60n)).toBe(true);
  const small = powRatio(ratio(2n, 1n), ratio(-1000n, 1n));
  expect(agree(small, ratio(1n, 2n ** 1000n), 60n)).toBe(true);
});

test('computes 1.1 ^ 365', () => {
  const yearly = powRatio(ratio(11n, 10n), ratio(365n, 1n));
  expect(agree(yearly, ratio(11n ** 365n, 10n ** 365n), 60n)).toBe(true);
});

test('a power of one is one, and a base of zero throws', () => {
  expect(powRatio(ratio(7n, 7n), ratio(365n, 2n))).toEqual(ratio(1n << 256n, 1n << 256n));
  expect(() => powRatio(ratio(0n, 1n), ratio(1n, 2n))).toThrow('logarithm');
});

const parts = fc.bigInt(1n, 10n ** 24n);

test('property: an integer power equals the repeated product', () => {
  assertProperty(
    fc.property(parts, parts, fc.bigInt(-40n, 40n), (a, b, n) => {
      const exact = n < 0n ? ratio(b ** -n, a ** -n) : ratio(a ** n, b ** n);
      expect(agree(powRatio(ratio(a, b), ratio(n, 1n)), exact, 50n)).toBe(true);
    }),
    100,
  );
});

test('property: the root of a power is the base', () => {
  assertProperty(
    fc.property(parts, parts, fc.bigInt(1n, 1000n), (a, b, n) => {
      const root = powRatio(ratio(a, b), ratio(1n, n));
      expect(agree(powRatio(root, ratio(n, 1n)), ratio(a, b), 50n)).toBe(true);
    }),
    100,
  );
});

test('property: a larger base gives a larger power', () => {
  assertProperty(
    fc.property(parts, parts, fc.bigInt(1n, 500n), (a, b, n) => {
      const exponent = ratio(n, 7n);
      const less = powRatio(ratio(a, b), exponent);
      const more = powRatio(ratio(a * 1001n, b * 1000n), exponent);
      expect(compareRatios(less, more)).toBe(-1);
    }),
    100,
  );
});
