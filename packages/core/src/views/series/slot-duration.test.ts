import { expect, test } from 'vitest';
import { ratio } from '../../base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { contiguousSpans, measureSlotMs, slotDurations } from './slot-duration.ts';

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

const DAY = 86_400n;

/** Daily samples of a chain whose slots take 400 ms before a time, and 300 ms from then on. */
function daysAround(changeAt: bigint, count: bigint) {
  return Array.from({ length: Number(count) }, (_, i) => {
    const at = BigInt(i) * DAY;
    const early = at < changeAt ? at : changeAt;
    return sampled(at, (early * 1_000n) / 400n + ((at - early) * 1_000n) / 300n);
  });
}

const msOf = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
  Number(numerator) / Number(denominator);

test('each sample has the slot duration of the days around it', () => {
  const rows = daysAround(5n * DAY, 10n);
  const durations = slotDurations(rows, DAY, ratio(300n, 1n)).map(msOf);
  expect(durations.slice(0, 5)).toEqual([400, 400, 400, 400, 400]);
  // the sample of the change has a day of each: 2 days over 216,000 + 288,000 slots
  expect(durations[5]).toBeCloseTo(172_800_000 / 504_000, 10);
  expect(durations.slice(6)).toEqual([300, 300, 300, 300]);
});

test('a sample without a neighbour has the mean duration of all', () => {
  const [first, second, , , last] = daysAround(9n * DAY, 5n);
  if (first === undefined || second === undefined || last === undefined) throw new Error('no rows');
  const durations = slotDurations([first, second, last], DAY, ratio(300n, 1n)).map(msOf);
  expect(durations).toEqual([400, 400, 400]);
  expect(slotDurations([last], DAY, DEFAULT)).toEqual([DEFAULT]);
  expect(slotDurations([], DAY, DEFAULT)).toEqual([]);
});

test('samples of a whole day share one measurement, and gaps end it', () => {
  const hour = 3_600n;
  const rows = [0n, 1n, 2n, 10n, 11n].map((i) =>
    sampled(i * hour, i < 5n ? i * 9_000n : 50_000n + (i - 10n) * 12_000n),
  );
  const durations = slotDurations(rows, hour, ratio(350n, 1n)).map(msOf);
  expect(durations).toEqual([400, 400, 400, 300, 300]);
});
