import { expect, test } from 'vitest';
import { ratio } from '../../base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { contiguousSpans, measureSlotMs } from './slot-duration.ts';

const DEFAULT = ratio(400n, 1n);

const span = (seconds: bigint, slots: bigint) => ({
  from: { unix: toUnixSeconds(1_000n), slot: toSlot(50n) },
  to: { unix: toUnixSeconds(1_000n + seconds), slot: toSlot(50n + slots) },
});

test('the slot duration is the mean of all spans', () => {
  // 3600 s and 7200 s over 24,000 slots
  expect(measureSlotMs([span(3600n, 8000n), span(7200n, 16_000n)], DEFAULT)).toEqual({
    numerator: 10_800_000n,
    denominator: 24_000n,
  });
});

test('a difference of one second is within the clock precision', () => {
  // 9000 slots of 400 ms are 3600 s
  expect(measureSlotMs([span(3601n, 9000n)], DEFAULT)).toBe(DEFAULT);
  expect(measureSlotMs([span(3599n, 9000n)], DEFAULT)).toBe(DEFAULT);
  expect(measureSlotMs([span(3602n, 9000n)], DEFAULT)).toEqual(ratio(3_602_000n, 9000n));
  // two spans may be off by two seconds
  expect(measureSlotMs([span(3601n, 9000n), span(3601n, 9000n)], DEFAULT)).toBe(DEFAULT);
});

test('without a span, or without time in it, the default applies', () => {
  expect(measureSlotMs([], DEFAULT)).toBe(DEFAULT);
  expect(measureSlotMs([span(0n, 0n)], DEFAULT)).toBe(DEFAULT);
  expect(measureSlotMs([span(60n, 0n)], DEFAULT)).toBe(DEFAULT);
});

const sampled = (bucket: bigint, slot: bigint) => ({
  bucket: toUnixSeconds(bucket),
  at: toUnixSeconds(bucket + 59n),
  slot: toSlot(slot),
});

test('spans end at gaps, and a single sample has no span', () => {
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
