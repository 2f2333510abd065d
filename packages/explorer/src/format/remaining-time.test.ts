import { expect, test } from 'vitest';
import { estimateRemaining } from './remaining-time.ts';

const START = { at: 1_000, fraction: 0 };

test('the rest takes as long per part as what is done', () => {
  expect(estimateRemaining(START, { at: 11_000, fraction: 0.25 })).toBe(30_000);
  expect(estimateRemaining({ at: 0, fraction: 0.5 }, { at: 4_000, fraction: 0.75 })).toBe(4_000);
});

test('nothing is left at the end', () => {
  expect(estimateRemaining(START, { at: 11_000, fraction: 1 })).toBe(0);
});

test('there is no estimate without progress over a few seconds', () => {
  expect(estimateRemaining(START, { at: 2_000, fraction: 0.1 })).toBeUndefined();
  expect(estimateRemaining(START, { at: 60_000, fraction: 0 })).toBeUndefined();
});
