import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, ratio } from './decimal.ts';
import {
  addRatio,
  compareRatios,
  divRatioOrZero,
  mulRatio,
  ratioOfSf,
  ratioOfUnits,
  sumRatios,
  ZERO_RATIO,
} from './ratio.ts';
import { sfFromBits } from './scaled-fraction.ts';

test('adds and multiplies exactly', () => {
  expect(compareRatios(addRatio(ratio(1n, 3n), ratio(1n, 6n)), ratio(1n, 2n))).toBe(0);
  expect(compareRatios(mulRatio(ratio(1n, 3n), ratio(1n, 6n)), ratio(1n, 18n))).toBe(0);
  expect(sumRatios([])).toEqual(ZERO_RATIO);
});

test('a quotient has a positive denominator, and division by zero gives zero', () => {
  expect(divRatioOrZero(ratio(1n, 2n), ratio(-3n, 4n))).toEqual(ratio(-4n, 6n));
  expect(divRatioOrZero(ratio(1n, 2n), ZERO_RATIO)).toEqual(ZERO_RATIO);
});

test('converts scaled fractions and token amounts', () => {
  expect(formatRatio(ratioOfSf(sfFromBits(3n << 59n)), 5)).toBe('1.5');
  expect(formatRatio(ratioOfUnits(1_500_000n, 6n), 5)).toBe('1.5');
});

const numbers = fc.bigInt(-(10n ** 30n), 10n ** 30n);
const ratios = fc
  .tuple(numbers, fc.bigInt(1n, 10n ** 30n))
  .map(([numerator, denominator]) => ratio(numerator, denominator));

test('property: addition and multiplication commute, and division inverts multiplication', () => {
  assertProperty(
    fc.property(ratios, ratios, (a, b) => {
      expect(compareRatios(addRatio(a, b), addRatio(b, a))).toBe(0);
      expect(compareRatios(mulRatio(a, b), mulRatio(b, a))).toBe(0);
      if (b.numerator !== 0n) expect(compareRatios(divRatioOrZero(mulRatio(a, b), b), a)).toBe(0);
      expect(compareRatios(addRatio(addRatio(a, b), ratio(-b.numerator, b.denominator)), a)).toBe(
        0,
      );
    }),
    100,
  );
});
