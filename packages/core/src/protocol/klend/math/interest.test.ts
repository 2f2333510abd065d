import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { ONE_SF, sfFromBits, sfFromBps } from '../../../base/numbers/scaled-fraction.ts';
import { compoundedInterest, SLOTS_PER_YEAR } from './interest.ts';

const tenPercent = sfFromBits(ONE_SF / 10n);
const rates = fc.bigInt(0n, 10n * ONE_SF).map(sfFromBits);

test('zero slots give no interest', () => {
  expect(compoundedInterest(tenPercent, 0n)).toBe(ONE_SF);
});

test('a year at 10 % gives the bits of the program, below e^0.1', () => {
  expect(compoundedInterest(tenPercent, SLOTS_PER_YEAR)).toBe(1272191732173662976n);
});

test.each([
  [200n, 172_800n, 63_173_780_928_000n],
  [1000n, 172_800n, 315_898_764_998_400n],
])('a day at %i bps grows by the bits of the program', (bps, slots, growth) => {
  expect(compoundedInterest(sfFromBps(bps), slots) - ONE_SF).toBe(growth);
});

test('below 5.87 % the second term is zero and interest is simple', () => {
  const rate = sfFromBps(500n);
  const perSlot = rate / SLOTS_PER_YEAR;
  expect(compoundedInterest(rate, 1_000_000n)).toBe(ONE_SF + perSlot * 1_000_000n);
});

test('four slots square the square, three multiply the square by the base', () => {
  const base = ONE_SF + (10n * ONE_SF) / SLOTS_PER_YEAR;
  const times = (a: bigint, b: bigint): bigint => (a * b) >> 60n;
  const squared = times(base, base);
  const rate = sfFromBits(10n * ONE_SF);
  expect(compoundedInterest(rate, 1n)).toBe(base);
  expect(compoundedInterest(rate, 2n)).toBe(squared);
  expect(compoundedInterest(rate, 3n)).toBe(times(squared, base));
  expect(compoundedInterest(rate, 4n)).toBe(times(squared, squared));
});

test('property: the growth never decreases with time', () => {
  assertProperty(
    fc.property(rates, fc.bigInt(0n, SLOTS_PER_YEAR), (rate, elapsed) => {
      const now = compoundedInterest(rate, elapsed);
      expect(compoundedInterest(rate, elapsed + 1n)).toBeGreaterThanOrEqual(now);
    }),
    100,
  );
});
