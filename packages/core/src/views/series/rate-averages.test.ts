import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { type RatePoint, trailingAverages } from './rate-averages.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const point = (at: number, rate: number): RatePoint => ({
  at,
  supplyApy: rate,
  borrowApy: 2 * rate,
  utilization: rate / 2,
});

/** Hourly points from 0 to the end, each with the rate of its hour. */
const hourly = (hours: number, rate: (hour: number) => number): RatePoint[] =>
  Array.from({ length: hours + 1 }, (_, hour) => point(hour * HOUR, rate(hour)));

test('a point counts until the next one; the newest ends the window and does not count', () => {
  // a day at 0.1, six days at 0.2, and a last point that is far higher
  const points = hourly(7 * 24, (hour) => (hour < 24 ? 0.1 : hour === 7 * 24 ? 99 : 0.2));
  const averages = trailingAverages(points, 7);
  expect(averages?.supplyApy).toBeCloseTo((0.1 + 6 * 0.2) / 7, 12);
  expect(averages?.borrowApy).toBeCloseTo((2 * (0.1 + 6 * 0.2)) / 7, 12);
  expect(averages?.utilization).toBeCloseTo((0.1 + 6 * 0.2) / 14, 12);
});

test('points from before the window do not count', () => {
  const points = hourly(30 * 24, (hour) => (hour < 23 * 24 ? 5 : 0.3));
  expect(trailingAverages(points, 7)?.supplyApy).toBeCloseTo(0.3, 12);
  expect(trailingAverages(points, 30)?.supplyApy).toBeCloseTo((23 * 5 + 7 * 0.3) / 30, 12);
});

test('a series that is shorter than the window by more than an hour has no average', () => {
  const points = hourly(14 * 24, () => 0.1);
  expect(trailingAverages(points, 14)?.supplyApy).toBeCloseTo(0.1, 12);
  expect(trailingAverages(points.slice(1), 14)?.supplyApy).toBeCloseTo(0.1, 12);
  expect(trailingAverages(points.slice(2), 14)).toBeUndefined();
  expect(trailingAverages(points, 30)).toBeUndefined();
  expect(trailingAverages([], 7)).toBeUndefined();
});

test('time that was not recorded does not count', () => {
  const points = hourly(7 * 24, (hour) => (hour < 24 ? 0.1 : 0.2));
  // three days are missing, of which the first hour counts with the point before
  const gapped = points.filter(({ at }) => at < 2 * DAY || at >= 5 * DAY);
  expect(trailingAverages(gapped, 7)?.supplyApy).toBeCloseTo((0.1 + 3 * 0.2) / 4, 12);
});

test('points that are closer than an hour count for their own time', () => {
  const points = [
    ...hourly(7 * 24, () => 0.1),
    point(7 * DAY + 900, 0.5),
    point(7 * DAY + 1_800, 0.5),
  ];
  const start = 1_800;
  const seconds = 7 * DAY;
  const expected = (0.1 * (7 * DAY + 900 - start) + 0.5 * 900) / seconds;
  expect(trailingAverages(points, 7)?.supplyApy).toBeCloseTo(expected, 12);
});

test('property: an average is between the lowest and the highest rate', () => {
  const rates = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), {
    minLength: 7 * 24 + 1,
    maxLength: 9 * 24,
  });
  assertProperty(
    fc.property(rates, (values) => {
      const points = values.map((rate, hour) => point(hour * HOUR, rate));
      const average = trailingAverages(points, 7)?.supplyApy ?? Number.NaN;
      expect(average).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
      expect(average).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
    }),
    50,
  );
});
