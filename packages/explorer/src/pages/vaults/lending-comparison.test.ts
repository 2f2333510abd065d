import type { ReserveHistory, VaultMetricsPoint } from '@tidegate/client';
import { expect, test } from 'vitest';
import { compareWithLending } from './lending-comparison.ts';

const time = (day: number, seconds = 0): string =>
  new Date(Date.UTC(2026, 0, day, 0, 0, seconds)).toISOString();

const share = (timestamp: string, sharePrice: string) =>
  ({ timestamp, sharePrice }) as VaultMetricsPoint;

const reserve = (timestamp: string, price: number, exchangeRate: number) =>
  ({
    timestamp,
    metrics: { assetPriceUSD: price, assetOraclePriceUSD: price, exchangeRate },
  }) as ReserveHistory['history'][number];

test('both grow in tokens, so a price that moves changes nothing', () => {
  // a share is 220 / 200 = 1.1 tokens at first and 484 / 400 = 1.21 later; a deposit grows by 0.8 / 0.64
  const result = compareWithLending(
    [share(time(1), '220'), share(time(2), '484')],
    [reserve(time(1), 200, 0.8), reserve(time(2), 400, 0.64)],
  );
  expect(result?.vault).toBe('0.1');
  expect(result?.lending).toBe('0.25');
  expect(result?.since).toBe(Date.UTC(2026, 0, 1));
});

test('only common times are compared, and the current states count as one', () => {
  const result = compareWithLending(
    [share(time(1), '1'), share(time(2), '1'), share(time(3, 2), '2')],
    [reserve(time(2), 1, 1), reserve(time(3, 5), 1, 0.5)],
  );
  expect(result?.data.positions).toEqual([Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 3, 0, 0, 2)]);
  expect(result?.vault).toBe('1');
});

test('one common point is not enough', () => {
  expect(compareWithLending([share(time(1), '1')], [reserve(time(1), 1, 1)])).toBeUndefined();
});
