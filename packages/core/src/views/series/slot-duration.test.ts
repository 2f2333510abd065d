import { expect, test } from 'vitest';
import { ratio } from '../../base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { contiguousSpans, measureSlotMs } from './slot-duration.ts';

const USUAL = ratio(400n, 1n);

const stretch = (seconds: bigint, slots: bigint) => ({
  from: { unix: toUnixSeconds(1_000n), slot: toSlot(50n) },
  to: { unix: toUnixSeconds(1_000n + seconds), slot: toSlot(50n + slots) },
});

test('slots that took longer are told, as the mean of all stretches', () => {
  // 3600 s and 7200 s over 24,000 slots
  expect(measureSlotMs([stretch(3600n, 8000n), stretch(7200n, 16_000n)], USUAL)).toEqual({
    numerator: 10_800_000n,
    denominator: 24_000n,
  });
});

test('a second more or less is what whole seconds cannot tell', () => {
  // 9000 slots of 400 ms are 3600 s
  expect(measureSlotMs([stretch(3601n, 9000n)], USUAL)).toBe(USUAL);
  expect(measureSlotMs([stretch(3599n, 9000n)], USUAL)).toBe(USUAL);
  expect(measureSlotMs([stretch(3602n, 9000n)], USUAL)).toEqual(ratio(3_602_000n, 9000n));
  // two stretches may be off by two
  expect(measureSlotMs([stretch(3601n, 9000n), stretch(3601n, 9000n)], USUAL)).toBe(USUAL);
});

test('without a stretch, or without time in it, slots are as usual', () => {
  expect(measureSlotMs([], USUAL)).toBe(USUAL);
  expect(measureSlotMs([stretch(0n, 0n)], USUAL)).toBe(USUAL);
  expect(measureSlotMs([stretch(60n, 0n)], USUAL)).toBe(USUAL);
});

const sampled = (bucket: bigint, slot: bigint) => ({
  bucket: toUnixSeconds(bucket),
  at: toUnixSeconds(bucket + 59n),
  slot: toSlot(slot),
});

test('stretches go from gap to gap, and a single snapshot makes none', () => {
  const rows = [
    sampled(0n, 1n),
    sampled(60n, 151n),
    sampled(120n, 301n),
    sampled(300n, 303n),
    sampled(600n, 400n),
    sampled(660n, 550n),
  ];
  expect(contiguousSpans(rows, 60n)).toEqual([
    { from: { unix: 59n, slot: 1n }, to: { unix: 179n, slot: 301n } },
    { from: { unix: 659n, slot: 400n }, to: { unix: 719n, slot: 550n } },
  ]);
  expect(contiguousSpans([], 60n)).toEqual([]);
});
