import type { VaultMetricsPoint } from '@tidegate/client';
import { expect, test } from 'vitest';
import { meanSpotRate } from './spot-rates.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 31, 12);

const points = (...rates: readonly [day: number, apy: string][]) =>
  rates.map(
    ([day, apy]) =>
      ({ timestamp: new Date(Date.UTC(2026, 0, day)).toISOString(), apy }) as VaultMetricsPoint,
  );

test('the mean is over the points of the window', () => {
  const history = points([27, '0.9'], [28, '0.9'], [29, '0.04'], [30, '0.05'], [31, '0.09']);
  // (0.04 + 0.05 + 0.09) / 3
  expect(meanSpotRate(history, { now: NOW, days: 3 })).toEqual({
    rate: '0.06',
    isEstimated: false,
  });
});

test('a record that begins later than the window is an estimate', () => {
  const history = points([30, '0.04'], [31, '0.06']);
  expect(meanSpotRate(history, { now: NOW, days: 7 })).toEqual({ rate: '0.05', isEstimated: true });
});

test('without points there is no rate', () => {
  expect(meanSpotRate([], { now: NOW - DAY_MS, days: 7 }).rate).toBeUndefined();
});
