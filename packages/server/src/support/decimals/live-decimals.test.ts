import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { toLiveNumber, toLiveNumberDown } from './live-decimals.ts';

const ratio = (numerator: bigint, denominator: bigint) => ({ numerator, denominator });

test('a limit is not rounded up to the nearest double', () => {
  // The double next to 12345678901.123456789 prints as 12345678901.123457.
  const limit = ratio(12_345_678_901_123_456_789n, 10n ** 9n);
  expect(String(toLiveNumber(limit))).toBe('12345678901.123457');
  expect(String(toLiveNumberDown(limit))).toBe('12345678901.123455');
});

test.each([
  [0n, 1n, '0'],
  [3n, 10n, '0.3'],
  [1n, 10n ** 9n, '1e-9'],
  [2_005_855_113n, 10n ** 9n, '2.005855113'],
])('%d / %d stays exact', (numerator, denominator, text) => {
  expect(String(toLiveNumberDown(ratio(numerator, denominator)))).toBe(text);
});

test('property: the printed number is at most the value, and close to it', () => {
  assertProperty(
    fc.property(fc.bigInt(1n, 2n ** 64n), fc.integer({ min: 0, max: 6 }), (lamports, decimals) => {
      const number = toLiveNumberDown(ratio(lamports, 10n ** BigInt(decimals)));
      const [whole = '', fraction = ''] = JSON.stringify(number).split('.');
      const printed = BigInt(whole + fraction) * 10n ** BigInt(decimals);
      const value = lamports * 10n ** BigInt(fraction.length);
      expect(printed).toBeLessThanOrEqual(value);
      expect(printed).toBeGreaterThanOrEqual(value - value / 2n ** 51n - 1n);
    }),
    100,
  );
});
