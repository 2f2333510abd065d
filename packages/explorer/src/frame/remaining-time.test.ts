import { expect, test } from 'vitest';
import { estimateRemaining } from './remaining-time.ts';

const START = { at: 1_000, percent: 0 };

test('the rest takes as long per percent as what is done', () => {
  expect(estimateRemaining(START, { at: 11_000, percent: 25 })).toBe(30_000);
  expect(estimateRemaining({ at: 0, percent: 40 }, { at: 4_000, percent: 50 })).toBe(20_000);
});

test('nothing is left at the end', () => {
  expect(estimateRemaining(START, { at: 11_000, percent: 100 })).toBe(0);
});

test('there is no estimate without progress over a few seconds', () => {
  expect(estimateRemaining(START, { at: 2_000, percent: 10 })).toBeUndefined();
  expect(estimateRemaining(START, { at: 60_000, percent: 0 })).toBeUndefined();
});
