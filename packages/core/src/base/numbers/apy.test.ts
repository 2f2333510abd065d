import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { aprToApy } from './apy.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from './decimal.ts';

const apyText = (apr: string, digits: number): string =>
  formatRatio(aprToApy(parseDecimal(apr)), digits);

/** Whether `a` is less than `b`. */
const below = (a: Ratio, b: Ratio): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator;

test('the first sixty digits of an APY are exact', () => {
  // (1 + r/63072000)^63072000 - 1 with 90 digits, computed independently.
  expect(apyText('0.03833335555557037', 60)).toBe(
    '0.0390775574150170894757383148328741860767063449075689879938543',
  );
  expect(apyText('1', 60)).toBe('1.71828180691000771512566297879092136556882944570783865609566');
  expect(apyText('100', 60)).toBe('26879040513993106431955859741324579839957332.1661031671774223');
});

test('sixty digits are exact for a rate of 1e-18', () => {
  expect(apyText('0.000000000000000001', 60)).toBe(
    '0.00000000000000000100000000000000000049999999207255200422552003266108582711176',
  );
});

test('a negative rate gives a loss', () => {
  expect(apyText('-0.01', 60)).toBe(
    '-0.00995016625161680328322034131794741388959823275073419632798725',
  );
});

test('matches the published APYs, computed with doubles, to about 1e-8', () => {
  const published = [
    ['0.03833335555557037', '0.03907755894979359'],
    ['0.009444457037049629', '0.009489196805581246'],
  ] as const;
  for (const [apr, apy] of published) {
    const exact = aprToApy(parseDecimal(apr));
    const shown = parseDecimal(apy);
    const difference = ratio(
      exact.numerator * shown.denominator - shown.numerator * exact.denominator,
      exact.denominator * shown.denominator,
    );
    expect(below(difference, ratio(1n, 100_000_000n))).toBe(true);
    expect(below(ratio(-1n, 100_000_000n), difference)).toBe(true);
  }
});

test('a zero rate gives a zero yield', () => {
  expect(aprToApy(ratio(0n, 7n)).numerator).toBe(0n);
});

test('a tiny rate matches the first two terms of the binomial series', () => {
  // r + r^2/2 (1 - 1/n); the next term is below r^3/6.
  const n = 63_072_000n;
  const digits = 10n ** 15n;
  const apy = aprToApy(ratio(1n, digits));
  const twoTerms = ratio(2n * n * digits + (n - 1n), 2n * n * digits * digits);
  expect(below(twoTerms, apy)).toBe(true);
  const rest = ratio(
    apy.numerator * twoTerms.denominator - twoTerms.numerator * apy.denominator,
    apy.denominator * twoTerms.denominator,
  );
  expect(below(rest, ratio(1n, 6n * digits ** 3n))).toBe(true);
});

test('a rate that loses everything in one slot gives -1', () => {
  expect(formatRatio(aprToApy(ratio(-63_072_000n, 1n)), 5)).toBe('-1');
  expect(formatRatio(aprToApy(ratio(-126_144_001n, 1n)), 5)).toBe('-1');
});

test('property: the APY grows with the rate and is never below a positive rate', () => {
  const rates = fc.bigInt(-(10n ** 17n), 10n ** 19n);
  assertProperty(
    fc.property(rates, fc.bigInt(1n, 10n ** 18n), (rate, step) => {
      const low = ratio(rate, 10n ** 18n);
      const high = ratio(rate + step, 10n ** 18n);
      expect(below(aprToApy(low), aprToApy(high))).toBe(true);
      if (rate > 0n) expect(below(low, aprToApy(low))).toBe(true);
    }),
    100,
  );
});
