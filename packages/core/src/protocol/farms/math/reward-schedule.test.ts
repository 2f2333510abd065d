import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { schedule } from '../../../../../../test/support/farms/farm-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { scheduledAmount, scheduledRate } from './issuance.ts';

const threeRates = schedule([100n, 10n], [200n, 3n], [300n, 0n]).points;

test('a single rate applies to every unit of time', () => {
  expect(scheduledAmount(schedule([0n, 150n]).points, 1_000n, 1_101n)).toBe(15_150n);
});

test('an empty interval gives no reward', () => {
  expect(scheduledAmount(threeRates, 150n, 150n)).toBe(0n);
});

test('an interval over several points uses the rate of each part', () => {
  expect(scheduledAmount(threeRates, 150n, 250n)).toBe(50n * 10n + 50n * 3n);
  expect(scheduledAmount(threeRates, 100n, 1_000n)).toBe(100n * 10n + 100n * 3n);
});

test('a rate starts after the time of its point', () => {
  expect(scheduledAmount(threeRates, 199n, 200n)).toBe(10n);
  expect(scheduledAmount(threeRates, 200n, 201n)).toBe(3n);
});

test('all twenty points can be used', () => {
  const points = Array.from({ length: 20 }, (_, i) => [BigInt(i * 10), BigInt(i)] as const);
  const all = schedule(...points).points;
  expect(scheduledAmount(all, 0n, 200n)).toBe(10n * 190n);
  expect(scheduledAmount(all, 195n, 205n)).toBe(10n * 19n);
});

test('a schedule that starts after the last issuance throws, as does decreasing time', () => {
  expect(catchError(() => scheduledAmount(threeRates, 99n, 150n))?.code).toBe('PROGRAM_REFUSES');
  expect(catchError(() => scheduledAmount(threeRates, 150n, 149n))?.code).toBe('PROGRAM_REFUSES');
});

test('a reward above 64 bits throws', () => {
  const steep = schedule([0n, 2n ** 60n]).points;
  expect(scheduledAmount(steep, 0n, 15n)).toBe(15n * 2n ** 60n);
  expect(catchError(() => scheduledAmount(steep, 0n, 16n))?.code).toBe('MATH_OVERFLOW');
});

test('the current rate is that of the last reached point, and zero before the first', () => {
  expect(scheduledRate(threeRates, 99n)).toBe(0n);
  expect(scheduledRate(threeRates, 100n)).toBe(10n);
  expect(scheduledRate(threeRates, 299n)).toBe(3n);
  expect(scheduledRate(threeRates, 300n)).toBe(0n);
});

test('property: the parts of a split interval add up', () => {
  const times = fc.tuple(fc.bigInt(100n, 500n), fc.bigInt(0n, 400n), fc.bigInt(0n, 400n));
  assertProperty(
    fc.property(times, ([start, a, b]) => {
      const whole = scheduledAmount(threeRates, start, start + a + b);
      const parts =
        scheduledAmount(threeRates, start, start + a) +
        scheduledAmount(threeRates, start + a, start + a + b);
      expect(parts).toBe(whole);
    }),
    100,
  );
});
