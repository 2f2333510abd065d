import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, type Ratio, ratioToNumber } from '../../base/numbers/decimal.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { type PriceMove, viewPriceMoves } from './price-moves.ts';

const HOUR = 3_600n;

const hourly = (prices: readonly number[]) =>
  prices.map((price, hour) => ({
    at: toUnixSeconds(BigInt(hour) * HOUR),
    price: { numerator: BigInt(price), denominator: 1n },
  }));

const tenth: Ratio = { numerator: 1n, denominator: 10n };

const shown = (move: PriceMove | undefined) =>
  move && [formatRatio(move.change, 6), Number(move.from / HOUR), Number(move.to / HOUR)];

const movesOf = (prices: readonly number[], hours: bigint, size = tenth) => {
  const { falls, rises } = viewPriceMoves(hourly(prices), { seconds: hours * HOUR, size });
  return {
    fall: shown(falls.largest),
    rise: shown(rises.largest),
    counts: [falls.count, rises.count],
  };
};

test('the largest moves are between points that are close enough to each other', () => {
  const prices = [100, 120, 90, 80, 110];
  expect(movesOf(prices, 1n)).toEqual({
    fall: ['-0.25', 1, 2],
    rise: ['0.375', 3, 4],
    counts: [2, 2],
  });
  expect(movesOf(prices, 2n)).toMatchObject({ fall: ['-0.333333', 1, 3] });
});

test('a move counts from its size on, and its points count once', () => {
  const slow = [100, 95, 90, 85, 81, 81];
  // 100 to 90 is exactly a tenth, 90 to 81 is the second one
  expect(movesOf(slow, 24n).counts).toEqual([2, 0]);
  expect(movesOf(slow, 1n).counts).toEqual([0, 0]);
});

test('a price that stays or is alone has no moves', () => {
  const nothing = { fall: undefined, rise: undefined, counts: [0, 0] };
  expect(movesOf([5, 5, 5], 24n)).toEqual(nothing);
  expect(movesOf([5], 24n)).toEqual(nothing);
  expect(movesOf([], 24n)).toEqual(nothing);
});

test('property: the largest moves are those of all pairs', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 });
  assertProperty(
    fc.property(prices, fc.integer({ min: 1, max: 10 }), (list, hours) => {
      const pairs = list.flatMap((from, i) =>
        list.slice(i + 1, i + 1 + hours).map((to) => to / from - 1),
      );
      const { falls, rises } = viewPriceMoves(hourly(list), {
        seconds: BigInt(hours) * HOUR,
        size: tenth,
      });
      const changeOf = (move: PriceMove | undefined) => (move ? ratioToNumber(move.change) : 0);
      expect(changeOf(falls.largest)).toBeCloseTo(Math.min(0, ...pairs), 12);
      expect(changeOf(rises.largest)).toBeCloseTo(Math.max(0, ...pairs), 12);
    }),
    200,
  );
});
