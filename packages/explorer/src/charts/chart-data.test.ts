import { expect, test } from 'vitest';
import { breakAtGaps, type ChartData, splitEstimated, stackValues, toCsv } from './chart-data.ts';

const chart = (positions: readonly number[], values: readonly (string | null)[]): ChartData => ({
  positions,
  unit: 'usd',
  series: [{ label: 'Supplied', color: 1, values }],
});

test('a distance that is longer than usual becomes a gap', () => {
  const { positions, series } = breakAtGaps(chart([0, 10, 20, 50, 60], ['1', '2', '3', '4', '5']));
  expect(positions).toEqual([0, 10, 20, 35, 50, 60]);
  expect(series[0]?.values).toEqual(['1', '2', '3', null, '4', '5']);
});

test('a reported gap that covers most of a distance becomes one, a short one does not', () => {
  const data = chart([0, 10, 20], ['1', '2', '3']);
  expect(breakAtGaps(data, [{ fromMs: 1, toMs: 9 }]).series[0]?.values).toEqual([
    '1',
    null,
    '2',
    '3',
  ]);
  expect(breakAtGaps(data, [{ fromMs: 1, toMs: 5 }]).series[0]?.values).toEqual(['1', '2', '3']);
});

test('points at usual distances stay as they are', () => {
  const data = chart([0, 10, 21, 30], ['1', '2', '3', '4']);
  expect(breakAtGaps(data)).toBe(data);
});

test('stacked areas are sums from below, and missing where one is missing', () => {
  const series = [
    { label: 'a', color: 1, values: ['1', '2', null] },
    { label: 'b', color: 2, values: ['10', null, '30'] },
  ];
  expect(stackValues(series)).toEqual([
    [1, 2, null],
    [11, null, null],
  ]);
});

test('the estimated stretch is apart and meets the measured one', () => {
  const series = {
    label: 'a',
    color: 1,
    values: ['1', '2', '3', '4', '5'],
    estimated: [{ from: 30, to: 50 }],
  };
  expect(splitEstimated([10, 20, 30, 40, 50], series)).toEqual({
    measured: [1, 2, null, null, 5],
    estimates: [null, 2, 3, 4, 5],
  });
});

test('the table for download has all digits, and no rows for gaps', () => {
  const data: ChartData = {
    positions: [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 3)],
    unit: 'usd',
    series: [
      { label: 'Supplied, USD', color: 1, values: ['4152791.044846982656847459897', null, '2'] },
      { label: 'Loans', color: 2, values: [20, null, null] },
    ],
  };
  expect(toCsv(data, 'time')).toBe(
    [
      'time,"Supplied, USD",Loans',
      '2026-01-01T00:00:00.000Z,4152791.044846982656847459897,20',
      '2026-01-03T00:00:00.000Z,2,',
    ].join('\n'),
  );
});
