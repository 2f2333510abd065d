import type { MarketPoint } from '@tidegate/client';
import { expect, test } from 'vitest';
import { combineHistories, countLoans } from './combined-history.ts';

const point = (timestamp: string, supplied: string, borrowed: string): MarketPoint => ({
  market: 'M',
  timestamp,
  metrics: { depositTVL: supplied, borrowTVL: borrowed, obligations: 0 },
});
const loans = (timestamp: string, obligations: number): MarketPoint => ({
  market: 'M',
  timestamp,
  metrics: { depositTVL: '0', borrowTVL: '0', obligations },
});
const DAY_1 = '2026-01-01T00:00:00.000Z';
const DAY_2 = '2026-01-02T00:00:00.000Z';
const DAY_3 = '2026-01-03T00:00:00.000Z';

const valuesOf = (...histories: MarketPoint[][]) => {
  const { positions, series } = combineHistories(histories);
  return positions.map((time, index) => [
    new Date(time).toISOString(),
    ...series.map(({ values }) => values[index]),
  ]);
};

test('markets are added up, and borrowed is a part of supplied', () => {
  expect(valuesOf([point(DAY_1, '100', '30')], [point(DAY_1, '50.5', '0.25')])).toEqual([
    [DAY_1, '30.25', '120.25'],
  ]);
});

test('a market counts as nothing before its first point', () => {
  expect(
    valuesOf([point(DAY_1, '100', '30'), point(DAY_2, '110', '30')], [point(DAY_2, '50', '20')]),
  ).toEqual([
    [DAY_1, '30', '70'],
    [DAY_2, '50', '110'],
  ]);
});

test('a missing point of one market is a gap of the total', () => {
  expect(
    valuesOf(
      [point(DAY_1, '100', '30'), point(DAY_2, '110', '30'), point(DAY_3, '120', '30')],
      [point(DAY_1, '50', '20'), point(DAY_3, '60', '20')],
    ),
  ).toEqual([
    [DAY_1, '50', '100'],
    [DAY_2, null, null],
    [DAY_3, '50', '130'],
  ]);
});

test('the current states of markets, a few seconds apart, are one point', () => {
  expect(
    valuesOf(
      [point(DAY_1, '100', '30'), point('2026-01-01T05:00:01.000Z', '101', '31')],
      [point(DAY_1, '50', '20'), point('2026-01-01T05:00:03.000Z', '51', '21')],
    ),
  ).toEqual([
    [DAY_1, '50', '100'],
    ['2026-01-01T05:00:03.000Z', '52', '100'],
  ]);
});

test('loans are those of the newest points, and not known if one market has none', () => {
  expect(countLoans([[loans(DAY_1, 5), loans(DAY_2, 7)], [loans(DAY_1, 3)]])).toBe(10);
  expect(countLoans([[loans(DAY_1, 5)], undefined])).toBeUndefined();
});
