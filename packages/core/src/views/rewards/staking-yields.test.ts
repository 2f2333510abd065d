import { expect, test } from 'vitest';
import { formatRatio, ratio } from '../../base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { meanRatio, medianRatio, viewEpochYields } from './staking-yields.ts';

/** Epochs of two days: 182.5 in a year. */
const SLOT_MS = ratio(400n, 1n);
const EPOCH = 432_000n;

const sample = (slot: bigint, lamports: bigint, tokens = 1_000_000n) => ({
  slot: toSlot(slot),
  lamports,
  tokens,
});

test('the yield of an epoch is the growth since the one before, compounded over a year', () => {
  const samples = [
    sample(10n * EPOCH, 1_000_000n),
    sample(11n * EPOCH - 1n, 1_000_000n),
    sample(11n * EPOCH, 1_000_400n),
    // more stake at the same rate gains nothing
    sample(12n * EPOCH, 2_000_800n, 2_000_000n),
  ];
  const [first, second, ...others] = viewEpochYields(samples, SLOT_MS);
  expect(others).toEqual([]);
  expect(Number(formatRatio(first ?? ratio(0n, 1n), 20))).toBeCloseTo(1.0004 ** 182.5 - 1, 10);
  expect(Number(formatRatio(second ?? ratio(1n, 1n), 20))).toBeCloseTo(0, 12);
});

test('a gap of several epochs is averaged', () => {
  const samples = [sample(0n, 1_000_000n), sample(4n * EPOCH, 1_001_600n)];
  const [only] = viewEpochYields(samples, SLOT_MS);
  expect(Number(formatRatio(only ?? ratio(0n, 1n), 20))).toBeCloseTo(1.0016 ** (182.5 / 4) - 1, 10);
});

test('an epoch takes as long as the times of its samples say, not as slots take now', () => {
  // a day and a half for 432,000 slots: 300 ms each, 243.33 epochs a year
  const samples = [
    { ...sample(10n * EPOCH, 1_000_000n), at: toUnixSeconds(1_790_000_000n) },
    { ...sample(11n * EPOCH, 1_000_400n), at: toUnixSeconds(1_790_000_000n + 129_600n) },
  ];
  const [only] = viewEpochYields(samples, SLOT_MS);
  const expected = 1.0004 ** (365 / 1.5) - 1;
  expect(Number(formatRatio(only ?? ratio(0n, 1n), 20))).toBeCloseTo(expected, 10);
});

test('one epoch alone, or an empty pool, has no yield', () => {
  expect(viewEpochYields([sample(0n, 1n), sample(9n, 2n)], SLOT_MS)).toEqual([]);
  expect(viewEpochYields([sample(0n, 0n), sample(EPOCH, 1n)], SLOT_MS)).toEqual([]);
});

test('median and mean of yields', () => {
  const values = [7n, 1n, 4n, 2n].map((tenths) => ratio(tenths, 10n));
  expect(formatRatio(medianRatio(values), 5)).toBe('0.3');
  expect(formatRatio(medianRatio(values.slice(0, 3)), 5)).toBe('0.4');
  expect(formatRatio(meanRatio(values), 5)).toBe('0.35');
  expect([medianRatio([]), meanRatio([])].map((value) => formatRatio(value, 5))).toEqual([
    '0',
    '0',
  ]);
});
