import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import {
  formatRatio,
  formatShortUnits,
  formatUnits,
  LIVE_DIGITS,
  parseDecimal,
  parseUnits,
  type Ratio,
  ratio,
  ratioToNumber,
} from './decimal.ts';

const PLAIN = /^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$/;

const numerators = fc
  .integer({ min: 0, max: 256 })
  .chain((bits) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }));
const denominators = numerators.map((value) => value + 1n);
const fractions: fc.Arbitrary<Ratio> = fc.record({
  numerator: numerators,
  denominator: denominators,
});
const digitCounts = fc.integer({ min: 1, max: 60 });

const isAtMost = (a: Ratio, b: Ratio) => a.numerator * b.denominator <= b.numerator * a.denominator;
const isSame = (a: Ratio, b: Ratio) => a.numerator * b.denominator === b.numerator * a.denominator;

/** 10 to any integer power. */
const powerOfTen = (exponent: number): Ratio =>
  exponent >= 0
    ? { numerator: 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: 1n, denominator: 10n ** BigInt(-exponent) };

const sum = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});

test('truncates after the significant digits and never rounds', () => {
  const cases: [bigint, bigint, number, string][] = [
    [1n, 3n, 5, '0.33333'],
    [2n, 3n, 5, '0.66666'],
    [2n, 300n, 5, '0.0066666'],
    [200n, 3n, 5, '66.666'],
    [19_999n, 10_000n, 4, '1.999'],
    [99_999n, 100_000n, 1, '0.9'],
    [1n, 7n, 20, '0.14285714285714285714'],
    [-1n, 3n, 5, '-0.33333'],
    [-19_999n, 10_000n, 4, '-1.999'],
  ];
  for (const [numerator, denominator, digits, text] of cases) {
    expect(formatRatio({ numerator, denominator }, digits)).toBe(text);
  }
});

test('leading zeros are not significant, inner zeros are', () => {
  expect(formatRatio({ numerator: 1n, denominator: 10n ** 30n }, 3)).toBe(
    '0.000000000000000000000000000001',
  );
  expect(formatRatio({ numerator: 7n, denominator: 10n ** 300n }, 3)).toBe(`0.${'0'.repeat(299)}7`);
  expect(formatRatio({ numerator: 10_203n, denominator: 10n ** 9n }, 4)).toBe('0.0000102');
  expect(formatRatio({ numerator: 1_000_203n, denominator: 1_000_000n }, 5)).toBe('1.0002');
});

test('omits trailing zeros, also after truncation', () => {
  expect(formatRatio({ numerator: 1_500_000n, denominator: 1_000_000n }, 20)).toBe('1.5');
  expect(formatRatio({ numerator: 7_000_000n, denominator: 1_000_000n }, 20)).toBe('7');
  expect(formatRatio({ numerator: 10_000_001n, denominator: 10_000_000n }, 4)).toBe('1');
  expect(formatRatio({ numerator: 1_020_003n, denominator: 1_000_000n }, 5)).toBe('1.02');
});

test('never truncates the integer part', () => {
  expect(formatRatio({ numerator: 123_456_789n, denominator: 1n }, 3)).toBe('123456789');
  expect(formatRatio({ numerator: 1_234_567n, denominator: 10n }, 3)).toBe('123456');
  expect(formatRatio({ numerator: 1_200n, denominator: 1n }, 1)).toBe('1200');
  expect(formatRatio({ numerator: 10n ** 40n, denominator: 1n }, 20)).toBe(`1${'0'.repeat(40)}`);
});

test('formats zero without sign or point', () => {
  expect(formatRatio({ numerator: 0n, denominator: 7n }, 20)).toBe('0');
  expect(formatRatio({ numerator: -0n, denominator: 7n }, 20)).toBe('0');
  expect(formatRatio({ numerator: -1n, denominator: 3n }, 0)).toBe('0');
  expect(formatUnits(0n, 9)).toBe('0');
  expect(formatUnits(0n, 0)).toBe('0');
});

test('property: the text is the largest value with that many digits that does not exceed the ratio', () => {
  assertProperty(
    fc.property(fractions, digitCounts, (value, digits) => {
      const text = formatRatio(value, digits);
      expect(text).toMatch(PLAIN);
      if (value.numerator === 0n) return;
      let exponent = 80;
      while (!isAtMost(powerOfTen(exponent), value)) exponent--;
      const unit = powerOfTen(Math.min(exponent - digits + 1, 0));
      const cut = parseDecimal(text);
      expect(isAtMost(cut, value)).toBe(true);
      expect(isAtMost(sum(cut, unit), value)).toBe(false);
      expect((cut.numerator * unit.denominator) % cut.denominator).toBe(0n);
    }),
    500,
  );
});

test('property: round-trips a finite decimal with enough digits', () => {
  const ending = fc.record({
    numerator: fc.bigInt({ min: -(1n << 128n), max: 1n << 128n }),
    denominator: fc
      .tuple(fc.nat(60), fc.nat(30))
      .map(([a, b]) => 2n ** BigInt(a) * 5n ** BigInt(b)),
  });
  assertProperty(
    fc.property(ending, (value) => {
      expect(isSame(parseDecimal(formatRatio(value, 140)), value)).toBe(true);
    }),
    100,
  );
});

test('property: formats a negative value like the positive one with a sign', () => {
  assertProperty(
    fc.property(fractions, digitCounts, ({ numerator, denominator }, digits) => {
      const text = formatRatio({ numerator, denominator }, digits);
      const negative = formatRatio({ numerator: -numerator, denominator }, digits);
      expect(negative).toBe(text === '0' ? '0' : `-${text}`);
    }),
    100,
  );
});

test('ratio() makes the denominator positive and rejects zero', () => {
  expect(ratio(1n, -2n)).toEqual({ numerator: -1n, denominator: 2n });
  expect(ratio(-1n, -2n)).toEqual({ numerator: 1n, denominator: 2n });
  expect(ratio(0n, 2n)).toEqual({ numerator: 0n, denominator: 2n });
  expect(catchError(() => ratio(1n, 0n))?.code).toBe('DIVISION_BY_ZERO');
});

test('formats amounts in whole tokens with all digits', () => {
  expect(formatUnits(1_500_000n, 6)).toBe('1.5');
  expect(formatUnits(1n, 9)).toBe('0.000000001');
  expect(formatUnits(1_000_000n, 6)).toBe('1');
  expect(formatUnits(100n, 0)).toBe('100');
  expect(formatUnits(-1n, 6)).toBe('-0.000001');
  expect(formatUnits(-1_234_567n, 6)).toBe('-1.234567');
  expect(formatUnits(18_446_744_073_709_551_615n, 6)).toBe('18446744073709.551615');
});

test('property: round-trips an amount of any token', () => {
  assertProperty(
    fc.property(numerators, fc.integer({ min: 0, max: 30 }), (amount, decimals) => {
      const text = formatUnits(amount, decimals);
      expect(text).toMatch(PLAIN);
      expect(parseUnits(text, decimals)).toBe(amount);
      expect(
        isSame(parseDecimal(text), { numerator: amount, denominator: 10n ** BigInt(decimals) }),
      ).toBe(true);
    }),
    100,
  );
});

test('rejects more decimals than the token has unless they are zeros', () => {
  expect(parseUnits('1.5', 1)).toBe(15n);
  expect(parseUnits('1.50000', 1)).toBe(15n);
  expect(parseUnits('12', 0)).toBe(12n);
  expect(parseUnits('12.0', 0)).toBe(12n);
  expect(catchError(() => parseUnits('1.51', 1))?.code).toBe('INVALID_DECIMAL');
  expect(catchError(() => parseUnits('0.0000001', 6))?.code).toBe('INVALID_DECIMAL');
  expect(catchError(() => parseUnits('0.5', 0))?.code).toBe('INVALID_DECIMAL');
  expect(() => parseUnits('1.51', 1)).toThrow('1 decimals');
});

test('rejects anything but plain decimal text', () => {
  const bad = [
    '',
    ' ',
    '1 ',
    ' 1',
    '1\n',
    '+1',
    '1e3',
    '1E-3',
    '.5',
    '5.',
    '00',
    '01',
    '01.5',
    '1.2.3',
  ];
  const worse = [
    '1,000',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '-',
    '--1',
    '-01',
    '١',
    '1.٥',
    '1n',
    '１',
  ];
  for (const text of [...bad, ...worse]) {
    expect(catchError(() => parseDecimal(text))?.code).toBe('INVALID_DECIMAL');
    expect(catchError(() => parseUnits(text, 6))?.code).toBe('INVALID_DECIMAL');
  }
});

test('rejects negative amounts and minus zero', () => {
  for (const text of ['-1', '-0', '-0.0', '-0.000001']) {
    expect(catchError(() => parseUnits(text, 6))?.code).toBe('INVALID_DECIMAL');
  }
  expect(parseDecimal('-1.5')).toEqual({ numerator: -15n, denominator: 10n });
});

test('parses 200 characters, rejects longer text and truncates it in the error', () => {
  expect(parseUnits('9'.repeat(200), 0)).toBe(10n ** 200n - 1n);
  expect(catchError(() => parseDecimal('9'.repeat(201)))?.code).toBe('INVALID_DECIMAL');
  const failure = (() => {
    try {
      return parseDecimal('9'.repeat(1_000_000));
    } catch (error) {
      return error;
    }
  })();
  expect(String(failure).length).toBeLessThan(400);
});

test.each([
  [0n, 1n, 0],
  [1n, 3n, 0.333_333_333_333_333_3],
  [-1n, 4n, -0.25],
  [1n, 10n ** 40n, 1e-40],
  [10n ** 30n + 1n, 10n ** 3n, 1e27],
  // 20 digits of 2^53 + 1 + 10^-5 are the middle of two doubles, which rounds to the even one
  [(2n ** 53n + 1n) * 10n ** 5n + 1n, 10n ** 5n, 9_007_199_254_740_992],
])('%d / %d is the number %d', (numerator, denominator, number) => {
  expect(ratioToNumber({ numerator, denominator })).toBe(number);
});

test('property: a number is the nearest to the text with 20 digits', () => {
  const parts = fc.tuple(fc.bigInt(-(2n ** 200n), 2n ** 200n), fc.bigInt(1n, 2n ** 140n));
  assertProperty(
    fc.property(parts, ([numerator, denominator]) => {
      const text = formatRatio({ numerator, denominator }, LIVE_DIGITS);
      expect(ratioToNumber({ numerator, denominator })).toBe(Number(text));
    }),
    100,
  );
});

test.each([
  [12_176_132_262n, 6, '12176.1'],
  [4_206_283_507n, 6, '4206.28'],
  [999_999_999n, 6, '999.999'],
  [12_345_678_900_000n, 6, '12345678'],
  [1_234_567_891n, 18, '0.00000000123456'],
  [1_500_000n, 6, '1.5'],
  [0n, 9, '0'],
])('%d with %d decimals is %s in a sentence', (amount, decimals, text) => {
  expect(formatShortUnits(amount, decimals)).toBe(text);
});
