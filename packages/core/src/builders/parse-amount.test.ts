import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
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
  ['more digits than the token has', '0.0000001', 'the token has 6 decimals and this needs more'],
  ['zero', '0', 'it must be above zero'],
  ['zero with decimals', '0.000000', 'it must be above zero'],
  ['a negative number', '-1', 'it is negative'],
  ['a negative zero', '-0', 'it is negative'],
  ['an exponent', '1e6', 'write it plainly'],
  ['an exponent in capitals', '1E6', 'write it plainly'],
  ['a space in front', ' 1', 'write it plainly'],
  ['a space behind', '1 ', 'write it plainly'],
  ['a space within', '1 000', 'write it plainly'],
  ['a line end', '1\n', 'write it plainly'],
  ['a plus', '+1', 'write it plainly'],
  ['a leading zero', '01', 'write it plainly'],
  ['two zeros', '00', 'write it plainly'],
  ['a comma', '1,5', 'write it plainly'],
  ['no digit in front of the point', '.5', 'write it plainly'],
  ['no digit behind the point', '5.', 'write it plainly'],
  ['two points', '1.2.3', 'write it plainly'],
  ['hex', '0x10', 'write it plainly'],
  ['nothing', '', 'write it plainly'],
  ['a word', 'NaN', 'write it plainly'],
  ['infinity', 'Infinity', 'write it plainly'],
  ['digits of another script', '１', 'write it plainly'],
  ['the marker in lower case', 'u64::max', 'write it plainly'],
  ['the marker with a space', 'U64::MAX ', 'write it plainly'],
  ['more text than anyone needs', '1'.repeat(201), 'write it plainly'],
])('%s is refused with what to change', (_, text, reason) => {
  for (const parse of both) {
    expect(errorCode(() => parse(text, 6))).toBe('INVALID_DECIMAL');
    expect(() => parse(text, 6)).toThrow(reason);
  }
});

test.each([
  ['one unit more than 64 bits hold', '18446744073709.551616', 6],
  ['far more', '99999999999999999999999999', 6],
  ['one unit more without decimals', '18446744073709551616', 0],
])('%s overflows', (_, text, decimals) => {
  for (const parse of both) {
    expect(errorCode(() => parse(text, decimals))).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
  }
});

test.each([
  ['the marker', 'U64::MAX', 6],
  ['the largest number as text', MAX, 6],
  ['the largest number of units', '18446744073709.551615', 6],
  ['the largest number of a token without decimals', MAX, 0],
])('%s is everything where that has a meaning, and overflows elsewhere', (_, text, decimals) => {
  expect(parseAmountOrMax(text, decimals)).toBe('all');
  expect(errorCode(() => parseAmount(text, decimals))).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
});

test('property: what is written out with a point anywhere is read back exactly', () => {
  const units = fc.bigInt(1n, 2n ** 64n - 2n);
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 18 }), fc.nat(5), (amount, decimals, zeros) => {
      const digits = amount.toString().padStart(decimals + 1, '0');
      const point = digits.length - decimals;
      const fraction = digits.slice(point).concat('0'.repeat(zeros));
      const text = fraction === '' ? digits : `${digits.slice(0, point)}.${fraction}`;
      for (const parse of both) expect(parse(text, decimals)).toBe(amount);
    }),
  );
});

test('property: any text is an amount in range or one of two refusals', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', 'e', ' ') }),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 9 }), (text, decimals) => {
      const code = errorCode(() => {
        const amount = parseAmount(text, decimals);
        expect(amount > 0n && amount < 2n ** 64n - 1n).toBe(true);
      });
      expect([undefined, 'INVALID_DECIMAL', 'DECIMAL_TO_LAMPORTS_OVERFLOW']).toContain(code);
    }),
  );
});
