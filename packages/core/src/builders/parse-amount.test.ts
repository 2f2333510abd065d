import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { parseAmount, parseAmountOrMax } from './parse-amount.ts';

const MAX = '18446744073709551615';
const both = [parseAmount, parseAmountOrMax];

test.each([
  ['1', 6, 1_000_000n],
  ['0.000001', 6, 1n],
  ['12.5', 6, 12_500_000n],
  ['12.50000000', 6, 12_500_000n],
  ['7', 0, 7n],
  ['7.00', 0, 7n],
  ['18446744073709.551614', 6, 18_446_744_073_709_551_614n],
  ['18446744073709551614', 0, 18_446_744_073_709_551_614n],
])('"%s" of a token with %i decimals is %i units', (text, decimals, units) => {
  for (const parse of both) expect(parse(text, decimals)).toBe(units);
});

test.each([
  ['more digits than the token has', '0.0000001', 'the token has only 6 decimals'],
  ['zero', '0', 'it must be above zero'],
  ['zero with decimals', '0.000000', 'it must be above zero'],
  ['a negative number', '-1', 'it is negative'],
  ['a negative zero', '-0', 'it is negative'],
  ['an exponent', '1e6', 'it is not a plain decimal number'],
  ['an exponent in capitals', '1E6', 'it is not a plain decimal number'],
  ['a space in front', ' 1', 'it is not a plain decimal number'],
  ['a space behind', '1 ', 'it is not a plain decimal number'],
  ['a space within', '1 000', 'it is not a plain decimal number'],
  ['a line end', '1\n', 'it is not a plain decimal number'],
  ['a plus', '+1', 'it is not a plain decimal number'],
  ['a leading zero', '01', 'it is not a plain decimal number'],
  ['two zeros', '00', 'it is not a plain decimal number'],
  ['a comma', '1,5', 'it is not a plain decimal number'],
  ['no digit in front of the point', '.5', 'it is not a plain decimal number'],
  ['no digit behind the point', '5.', 'it is not a plain decimal number'],
  ['two points', '1.2.3', 'it is not a plain decimal number'],
  ['hex', '0x10', 'it is not a plain decimal number'],
  ['nothing', '', 'it is not a plain decimal number'],
  ['a word', 'NaN', 'it is not a plain decimal number'],
  ['infinity', 'Infinity', 'it is not a plain decimal number'],
  ['digits of another script', '１', 'it is not a plain decimal number'],
  ['the marker in lower case', 'u64::max', 'it is not a plain decimal number'],
  ['the marker with a space', 'U64::MAX ', 'it is not a plain decimal number'],
  ['a text that is too long', '1'.repeat(201), 'it is not a plain decimal number'],
])('%s throws with a hint', (_, text, reason) => {
  for (const parse of both) {
    expect(catchError(() => parse(text, 6))?.code).toBe('INVALID_DECIMAL');
    expect(() => parse(text, 6)).toThrow(reason);
  }
});

test.each([
  ['one unit more than 64 bits hold', '18446744073709.551616', 6],
  ['far more', '99999999999999999999999999', 6],
  ['one unit more without decimals', '18446744073709551616', 0],
])('%s overflows', (_, text, decimals) => {
  for (const parse of both) {
    expect(catchError(() => parse(text, decimals))?.code).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
  }
});

test.each([
  ['the marker', 'U64::MAX', 6],
  ['the largest number as text', MAX, 6],
  ['the largest number of units', '18446744073709.551615', 6],
  ['the largest number of a token without decimals', MAX, 0],
])('%s is the whole balance where allowed, and overflows otherwise', (_, text, decimals) => {
  expect(parseAmountOrMax(text, decimals)).toBe('all');
  expect(catchError(() => parseAmount(text, decimals))?.code).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
});

test('property: a formatted amount parses back exactly', () => {
  const units = fc.bigInt(1n, 2n ** 64n - 2n);
  assertProperty(
    fc.property(units, fc.integer({ min: 0, max: 18 }), fc.nat(5), (amount, decimals, zeros) => {
      const digits = amount.toString().padStart(decimals + 1, '0');
      const point = digits.length - decimals;
      const fraction = digits.slice(point).concat('0'.repeat(zeros));
      const text = fraction === '' ? digits : `${digits.slice(0, point)}.${fraction}`;
      for (const parse of both) expect(parse(text, decimals)).toBe(amount);
    }),
    100,
  );
});

test('property: any text parses to an amount in range or throws one of two codes', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', 'e', ' ') }),
  );
  assertProperty(
    fc.property(texts, fc.integer({ min: 0, max: 9 }), (text, decimals) => {
      const code = catchError(() => {
        const amount = parseAmount(text, decimals);
        expect(amount > 0n && amount < 2n ** 64n - 1n).toBe(true);
      })?.code;
      expect([undefined, 'INVALID_DECIMAL', 'DECIMAL_TO_LAMPORTS_OVERFLOW']).toContain(code);
    }),
    100,
  );
});
