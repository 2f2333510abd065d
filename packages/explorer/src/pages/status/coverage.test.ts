import { expect, test } from 'vitest';
import { coverageParts, gapsSince, recordedFraction } from './coverage.ts';

test('the time is split at the gaps, in order', () => {
  const parts = coverageParts(0, 100, [
    { from: 60, to: 70 },
    { from: 10, to: 20 },
  ]);
  expect(parts).toEqual([
    { from: 0, to: 10, isRecorded: true },
    { from: 10, to: 20, isRecorded: false },
    { from: 20, to: 60, isRecorded: true },
    { from: 60, to: 70, isRecorded: false },
    { from: 70, to: 100, isRecorded: true },
  ]);
  expect(recordedFraction(parts)).toBe(0.8);
});

test('gaps before the first record and overlapping ones count once', () => {
  const parts = coverageParts(50, 100, [
    { from: 0, to: 60 },
    { from: 55, to: 70 },
  ]);
  expect(parts).toEqual([
    { from: 50, to: 60, isRecorded: false },
    { from: 60, to: 70, isRecorded: false },
    { from: 70, to: 100, isRecorded: true },
  ]);
});

test('the time before the first record is no gap', () => {
  const gaps = [
    { from: 0, to: 50 },
    { from: 40, to: 60 },
    { from: 70, to: 80 },
  ];
  expect(gapsSince(50, gaps)).toEqual([
    { from: 50, to: 60 },
    { from: 70, to: 80 },
  ]);
});

test('without gaps everything is recorded', () => {
  expect(recordedFraction(coverageParts(0, 100, []))).toBe(1);
});

test('a short gap leaves less than everything', () => {
  expect(recordedFraction(coverageParts(0, 10_000_000, [{ from: 0, to: 1 }]))).toBe(0.9999);
});
