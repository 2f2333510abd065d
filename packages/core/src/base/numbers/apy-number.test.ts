import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { aprToApy } from './apy.ts';
import { aprToApyNumber } from './apy-number.ts';
import { formatRatio, LIVE_DIGITS, parseDecimal, type Ratio } from './decimal.ts';

const numberOf = (apr: Ratio): number => Number(formatRatio(aprToApy(apr), LIVE_DIGITS));

test.each([
  // (1 + r/63072000)^63072000 - 1 with 90 digits, computed independently
  ['0.03833335555557037', '0.0390775574150170894757383148328741860767063449075689879938543'],
  ['1', '1.71828180691000771512566297879092136556882944570783865609566'],
  ['0', '0'],
  ['0.000000000000000001', '0.000000000000000001000000000000000000499999992072552'],
  ['-0.01', '-0.00995016625161680328322034131794741388959823275073419632798725'],
])('the yield of %s', (apr, apy) => {
  expect(aprToApyNumber(parseDecimal(apr))).toBe(Number(apy));
});

test('property: the nearest double of the exact yield, for rates of all sizes', () => {
  const rates = fc
    .tuple(fc.bigInt(1n, 2n ** 60n), fc.integer({ min: 60, max: 130 }), fc.bigInt(1n, 2n ** 58n))
    .map(([numerator, bits, more]) => ({
      numerator,
      denominator: (1n << BigInt(bits)) / 4n + more,
    }));
  assertProperty(
    fc.property(rates, (apr) => {
      expect(aprToApyNumber(apr)).toBe(numberOf(apr));
    }),
    400,
  );
});

test('property: the nearest double of the exact yield, for rates from 0 to 100 %', () => {
  const denominator = 10n ** 18n;
  assertProperty(
    fc.property(fc.bigInt(0n, denominator), (numerator) => {
      expect(aprToApyNumber({ numerator, denominator })).toBe(numberOf({ numerator, denominator }));
    }),
    1_000,
  );
});
