import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  formatDecimal,
  fromBaseUnits,
  isDecimal,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  toBaseUnits,
} from './decimal.ts';

test('amounts keep every digit, also beyond those of a JavaScript number', () => {
  expect(addDecimals('18446744073.709551615', '0.000000001')).toBe('18446744073.709551616');
  expect(addDecimals('0.1', '0.2')).toBe('0.3');
  expect(subtractDecimals('1', '1.000000000000000000000001')).toBe('-0.000000000000000000000001');
  expect(multiplyDecimals('123456789.123456789', '1000000.000000001')).toBe(
    '123456789123456.912456789123456789',
  );
  expect(toBaseUnits('18446744073.709551615', 9)).toBe(18446744073709551615n);
  expect(fromBaseUnits(18446744073709551615n, 9)).toBe('18446744073.709551615');
});

test.each([
  ['4.2e-8', '0.000000042'],
  ['1E+3', '1000'],
  ['-1.50', '-1.5'],
  ['-0.0', '0'],
  ['007', '7'],
])('%s is %s', (text, expected) => {
  expect(addDecimals(text, '0')).toBe(expected);
});

test.each([
  ...['', ' ', '1.', '.5', '+1', '1,000', '0x10', '1n', 'NaN', 'Infinity', '--1', '1e', '１', '1 '],
  ...['1e1001', '1e-1001', '9'.repeat(2_001)],
])('%j is not a decimal', (text) => {
  expect(isDecimal(text)).toBe(false);
  expect(() => parseDecimal(text)).toThrow(RangeError);
});

test('more decimals than a token has are rejected, or rounded as the caller says', () => {
  expect(() => toBaseUnits('1.2345678', 6)).toThrow('1.2345678 has more than 6 decimals.');
  expect(toBaseUnits('1.2345670', 6)).toBe(1_234_567n);
  expect(toBaseUnits('1.2345678', 6, 'down')).toBe(1_234_567n);
  expect(toBaseUnits('1.2345678', 6, 'up')).toBe(1_234_568n);
  expect(toBaseUnits('-1.2345678', 6, 'down')).toBe(-1_234_567n);
  expect(toBaseUnits('-1.2345671', 6, 'up')).toBe(-1_234_568n);
  expect(toBaseUnits('0.5', 0, 'nearest')).toBe(1n);
  expect(toBaseUnits('-0.5', 0, 'nearest')).toBe(-1n);
  expect(toBaseUnits('0.4999', 0, 'nearest')).toBe(0n);
  expect(() => toBaseUnits('1', 1.5)).toThrow(RangeError);
  expect(() => toBaseUnits('1', -1)).toThrow(RangeError);
});

test('figures for people have the requested number of decimals', () => {
  expect(formatDecimal('1234.5678', 2)).toBe('1234.56');
  expect(formatDecimal('1234.5678', 2, 'nearest')).toBe('1234.57');
  expect(formatDecimal('3', 2)).toBe('3.00');
  expect(formatDecimal('-0.001', 2)).toBe('0.00');
  expect(formatDecimal('0.0525', 0)).toBe('0');
});

test('a quotient has the requested decimals, and nothing is divided by zero', () => {
  expect(divideDecimals('1', '3', { decimals: 5 })).toBe('0.33333');
  expect(divideDecimals('2', '3', { decimals: 5, rounding: 'nearest' })).toBe('0.66667');
  expect(divideDecimals('-1', '3', { decimals: 2, rounding: 'up' })).toBe('-0.34');
  expect(divideDecimals('1', '-8', { decimals: 3 })).toBe('-0.125');
  expect(() => divideDecimals('1', '0.000', { decimals: 2 })).toThrow('Cannot divide by zero.');
});

/** A decimal as text, and its value as an integer of units of 10^-40, computed without the code under test. */
const UNIT_DECIMALS = 40;
const decimals = fc
  .record({
    isNegative: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fraction: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: UNIT_DECIMALS }),
  })
  .map(({ isNegative, whole, fraction }) => {
    const padded = Array.from({ length: UNIT_DECIMALS }, (_, index) => fraction[index] ?? 0);
    const units = padded.reduce((sum, digit) => sum * 10n + BigInt(digit), whole);
    const point = fraction.length === 0 ? '' : `.${fraction.join('')}`;
    return {
      text: `${isNegative ? '-' : ''}${whole}${point}`,
      units: isNegative ? -units : units,
    };
  });

const unitsOf = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(UNIT_DECIMALS, '0'));
  return text.startsWith('-') ? -units : units;
};

test('property: sums, differences and order agree with integers', () => {
  assertProperty(
    fc.property(decimals, decimals, (a, b) => {
      expect(unitsOf(addDecimals(a.text, b.text))).toBe(a.units + b.units);
      expect(unitsOf(subtractDecimals(a.text, b.text))).toBe(a.units - b.units);
      const order = a.units === b.units ? 0 : a.units < b.units ? -1 : 1;
      expect(compareDecimals(a.text, b.text)).toBe(order);
    }),
    100,
  );
});

test('property: base units and whole tokens convert into each other without loss', () => {
  assertProperty(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 30 }), (units, places) => {
      const amount = fromBaseUnits(units, places);
      expect(amount).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      expect(toBaseUnits(amount, places)).toBe(units);
    }),
    100,
  );
});

test('property: products and quotients undo each other, and roundings enclose the exact value', () => {
  assertProperty(
    fc.property(decimals, decimals, (a, b) => {
      fc.pre(b.units !== 0n);
      const product = multiplyDecimals(a.text, b.text);
      expect(divideDecimals(product, b.text, { decimals: UNIT_DECIMALS })).toBe(
        addDecimals(a.text, '0'),
      );
      const quotient = (rounding: 'down' | 'up' | 'nearest') =>
        unitsOf(divideDecimals(a.text, b.text, { decimals: 6, rounding })) / 10n ** 34n;
      const exact = (a.units * 10n ** 6n) / b.units;
      const isExact = (a.units * 10n ** 6n) % b.units === 0n;
      const away = a.units < 0n === b.units < 0n ? 1n : -1n;
      expect(quotient('down')).toBe(exact);
      expect(quotient('up')).toBe(isExact ? exact : exact + away);
      expect([quotient('down'), quotient('up')]).toContain(quotient('nearest'));
    }),
    100,
  );
});

test('property: an exponent moves the point', () => {
  assertProperty(
    fc.property(decimals, fc.integer({ min: 0, max: 60 }), ({ text }, power) => {
      const shifted = multiplyDecimals(text, `1${'0'.repeat(power)}`);
      expect(addDecimals(`${text}e${power}`, '0')).toBe(shifted);
      expect(compareDecimals(`${shifted}e-${power}`, text)).toBe(0);
    }),
    100,
  );
});
