import { expect, test } from 'vitest';
import { curvePoints, rateAt, utilizationAfter } from './borrow-curve.ts';

const curve = [
  [0, 0.01],
  [0.5, 0.05],
  [1, 1.05],
];

test.each([
  [0, 0.01],
  [0.25, 0.03],
  [0.5, 0.05],
  [0.75, 0.55],
  [1, 1.05],
  [1.2, 1.05],
])('at a utilization of %d the rate is %d', (utilization, rate) => {
  expect(rateAt(curve, utilization)).toBeCloseTo(rate, 12);
});

test('a deposit lowers the utilization', () => {
  expect(utilizationAfter(100, 50, 0)).toBe(0.5);
  expect(utilizationAfter(100, 50, 100)).toBe(0.25);
  expect(utilizationAfter(0, 0, 0)).toBe(0);
});

test('points of interest are on the curve, in order and once', () => {
  expect(curvePoints(curve, [0.75, 0.5])).toEqual({
    positions: [0, 0.5, 0.75, 1],
    rates: [0.01, 0.05, 0.55, 1.05],
  });
});
