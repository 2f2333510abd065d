import type { PriceMoves } from '@tidegate/client';
import { expect, test } from 'vitest';
import type { LiquidationFigure } from './liquidation-figures.ts';
import { highestLevel, judgeFigure, sizeToCount } from './liquidation-risk.ts';

const figure = (change: string, against?: LiquidationFigure['against']): LiquidationFigure => ({
  mint: 'SOL mint',
  symbol: 'SOL',
  against,
  now: '160',
  price: '100',
  change,
  along: [],
});

const sol = { mint: 'SOL mint', symbol: 'SOL' };

const move = (change: string) => ({ change, start: '', end: '' });

/** A price that fell by 5 % in an hour, 12 % in a day and 25 % in a week, and rose by half of it. */
const moves = (sampledHours: number): PriceMoves => ({
  mint: 'SOL mint',
  against: null,
  size: '0.1',
  sampledHours,
  firstSample: null,
  windows: [
    { hours: 1, largestFall: move('-0.05'), largestRise: move('0.025'), falls: 0, rises: 0 },
    { hours: 24, largestFall: move('-0.12'), largestRise: move('0.06'), falls: 3, rises: 0 },
    { hours: 168, largestFall: move('-0.25'), largestRise: null, falls: 9, rises: 0 },
  ],
});

const YEAR = 365 * 24;
const level = (change: string, past: PriceMoves | undefined) =>
  judgeFigure(figure(change), past).level;

test.each([
  ['-0.12', 'danger'],
  ['-0.1201', 'warning'],
  ['-0.25', 'warning'],
  ['-0.2501', 'none'],
  // only rises count for a price that must rise
  ['0.06', 'danger'],
  ['0.0601', 'none'],
  ['0.009', 'danger'],
])('with a year of prices, a distance of %s is %s', (change, expected) => {
  expect(level(change, moves(YEAR))).toBe(expected);
});

test('a calm price is dangerous below one percent', () => {
  const calm = { ...moves(YEAR), windows: [] };
  expect([level('-0.01', calm), level('-0.011', calm)]).toEqual(['danger', 'none']);
});

test('what decided is named, with how often it happened', () => {
  expect(judgeFigure(figure('-0.1'), moves(YEAR)).past).toEqual({
    hour: '0.05',
    day: '0.12',
    week: '0.25',
    size: '0.1',
    timesInADay: 3,
  });
});

test('with less than a month of prices fixed limits decide', () => {
  for (const past of [moves(30 * 24 - 1), undefined]) {
    const levels = ['-0.15', '-0.1501', '-0.3', '-0.3001'].map((change) => level(change, past));
    expect(levels).toEqual(['danger', 'warning', 'warning', 'none']);
    expect(judgeFigure(figure('-0.15'), past).past).toBeUndefined();
  }
  expect(judgeFigure(figure('-0.15'), moves(30 * 24)).past).toBeDefined();
});

test('the fixed limits of a ratio are narrower', () => {
  const levels = ['-0.02', '-0.05', '-0.06'].map(
    (change) => judgeFigure(figure(change, sol), undefined).level,
  );
  expect(levels).toEqual(['danger', 'warning', 'none']);
});

test('the size to count is a little less than the distance', () => {
  expect(['-0.1079', '0.05', '-0.0497', '-0.0009'].map(sizeToCount)).toEqual([
    '0.1',
    '0.05',
    '0.049',
    '0',
  ]);
});

test('the highest level of several decides', () => {
  const risks = ['-0.2', '-0.1', '-0.9'].map((change) => judgeFigure(figure(change), moves(YEAR)));
  expect(highestLevel(risks)).toBe('danger');
  expect(highestLevel([])).toBe('none');
});
