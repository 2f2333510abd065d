import { expect, test } from 'vitest';
import { coverageParts, gapsSince, recordedFraction } from './coverage.ts';

test('the time is split at the gaps, in order', () => {
  const parts = coverageParts(0, 100, [
    { fromMs: 60, toMs: 70 },
    { fromMs: 10, toMs: 20 },
  ]);
  expect(parts).toEqual([
    { fromMs: 0, toMs: 10, isRecorded: true },
    { fromMs: 10, toMs: 20, isRecorded: false },
    { fromMs: 20, toMs: 60, isRecorded: true },
    { fromMs: 60, toMs: 70, isRecorded: false },
    { fromMs: 70, toMs: 100, isRecorded: true },
  ]);
  expect(recordedFraction(parts)).toBe(0.8);
});

test('gaps before the first record and overlapping ones count once', () => {
  const parts = coverageParts(50, 100, [
    { fromMs: 0, toMs: 60 },
    { fromMs: 55, toMs: 70 },
  ]);
  expect(parts).toEqual([
    { fromMs: 50, toMs: 60, isRecorded: false },
    { fromMs: 60, toMs: 70, isRecorded: false },
    { fromMs: 70, toMs: 100, isRecorded: true },
  ]);
});

test('the time before the first record is no gap', () => {
  const gaps = [
    { fromMs: 0, toMs: 50 },
    { fromMs: 40, toMs: 60 },
    { fromMs: 70, toMs: 80 },
  ];
  expect(gapsSince(50, gaps)).toEqual([
    { fromMs: 50, toMs: 60 },
    { fromMs: 70, toMs: 80 },
  ]);
});

test('without gaps everything is recorded', () => {
  expect(recordedFraction(coverageParts(0, 100, []))).toBe(1);
});

test('a short gap leaves less than everything', () => {
  expect(recordedFraction(coverageParts(0, 10_000_000, [{ fromMs: 0, toMs: 1 }]))).toBe(0.9999);
});
