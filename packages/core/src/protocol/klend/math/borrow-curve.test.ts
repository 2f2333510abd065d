import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curve } from '../../../../../../test/support/lending/lending-accounts.ts';
import { LEGACY, vectorReserve } from '../../../../../../test/support/lending/vector-reserve.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { hasCode } from '../../../base/errors.ts';
import { ONE_SF, sfFromBits, sfFromBps } from '../../../base/numbers/scaled-fraction.ts';
import { borrowRate } from './borrow-curve.ts';
import { utilization } from './supply.ts';

const { points } = curve([
  [0, 0],
  [8000, 800],
  [10000, 10000],
]);

test('computes the reference example', () => {
  expect(borrowRate(points, sfFromBits(384_307_424_407_231_930n))).toBe(38_430_742_440_723_193n);
});

test('the reserve of the vectors has the utilization and the rate of the independent model', () => {
  const { liquidity, config } = vectorReserve(LEGACY);
  const used = utilization(liquidity);
  expect(used).toBe(1_005_880_257_553_336_102n);
  expect(borrowRate(config.borrowRateCurve.points, used)).toBe(211_198_481_851_770_305n);
});

test('within half a basis point of a curve point the rate equals its rate', () => {
  const justAbove = sfFromBits((800_033n * ONE_SF) / 1_000_000n);
  expect(borrowRate(points, justAbove)).toBe(sfFromBps(800n));
});

test('a utilization that rounds to zero has the rate of zero', () => {
  expect(borrowRate(points, sfFromBits(ONE_SF / 30_000n))).toBe(0n);
});

test('the ends of the curve have the rates of their points', () => {
  expect(borrowRate(points, sfFromBits(0n))).toBe(0n);
  expect(borrowRate(points, ONE_SF)).toBe(sfFromBps(10_000n));
});

test('a utilization above 1 is capped at 1', () => {
  expect(borrowRate(points, sfFromBits(3n * ONE_SF))).toBe(sfFromBps(10_000n));
});

test('a curve with a gap throws', () => {
  const broken = curve([
    [0, 0],
    [5000, 100],
  ]).points;
  try {
    borrowRate(broken, ONE_SF);
    expect.unreachable();
  } catch (error) {
    expect(hasCode(error, 'MALFORMED_DATA')).toBe(true);
  }
});

test('property: the rate is monotonic and lies between those of the neighboring points', () => {
  assertProperty(
    fc.property(fc.bigInt(0n, ONE_SF), fc.bigInt(0n, ONE_SF), (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const lowRate = borrowRate(points, sfFromBits(low));
      expect(borrowRate(points, sfFromBits(high))).toBeGreaterThanOrEqual(lowRate);
      expect(lowRate).toBeLessThanOrEqual(sfFromBps(10_000n));
    }),
    100,
  );
});
