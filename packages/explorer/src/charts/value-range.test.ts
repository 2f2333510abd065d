import { expect, test } from 'vitest';
import { closeRange } from './value-range.ts';

test('values far from zero fill the axis', () => {
  const [from, to] = closeRange(1.02, 1.05);
  expect(from).toBeCloseTo(1.017, 10);
  expect(to).toBeCloseTo(1.053, 10);
});

test('the axis starts at zero if zero is near, and never below it without values there', () => {
  expect(closeRange(0.01, 0.06)).toEqual([0, 0.06 + 0.05 * 0.1]);
  expect(closeRange(0, 10)).toEqual([0, 11]);
  expect(closeRange(5.1, 15.1)[0]).toBeCloseTo(4.1, 10);
});

test('values below zero have a margin on both sides', () => {
  expect(closeRange(-10, 10)).toEqual([-12, 12]);
});

test('values that do not differ are in the middle', () => {
  expect(closeRange(100, 100)).toEqual([95, 105]);
  expect(closeRange(0, 0)).toEqual([0, 1]);
});
