import { expect, test } from 'vitest';
import { formatRatio, ratio } from './decimal.ts';
import {
  addScaled,
  partOfScaled,
  ratioOfScaled,
  roundScaled,
  scaledFromBits,
  scaledOf,
  ZERO_SCALED,
} from './fixed-decimal.ts';

const third = scaledOf(ratio(1n, 3n));
const text = (value: Parameters<typeof ratioOfScaled>[0]) => formatRatio(ratioOfScaled(value), 80);

test('what many steps drop is not told', () => {
  expect(text(addScaled(addScaled(third, third), third))).toBe('1');
  const lost = scaledOf(ratio(-1n, 3n));
  expect(text(addScaled(addScaled(lost, lost), lost))).toBe('-1');
});

test('half of the last decimal goes away from zero', () => {
  const rounded = (numerator: bigint) =>
    formatRatio(roundScaled(scaledOf(ratio(numerator, 1000n)), 2n), 80);
  expect([1005n, 1004n, -1005n, -1004n].map(rounded)).toEqual(['1.01', '1', '-1.01', '-1']);
});

test('a part of everything is everything, and of nothing is nothing', () => {
  expect(partOfScaled(third, 7n, 7n)).toBe(third);
  expect(partOfScaled(third, 0n, 0n)).toBe(0n);
  expect(text(partOfScaled(scaledOf(ratio(10n, 1n)), 1n, 4n))).toBe('2.5');
});

test('a sum starts at nothing', () => {
  expect(addScaled(ZERO_SCALED, third)).toBe(third);
});

test('a sum that was kept goes on as it was', () => {
  const kept = scaledFromBits(BigInt(third.toString()));
  expect(text(addScaled(kept, addScaled(third, third)))).toBe('1');
});
