import { type ChainTime, type Ratio, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotDurationMeter } from './slot-duration-meter.ts';

const DEFAULT: Ratio = { numerator: 400n, denominator: 1n };
const msOf = ({ numerator, denominator }: Ratio): number => Number(numerator) / Number(denominator);

/** Steps of a cluster, each `seconds` after the one before, with times in whole seconds. */
function measure(slotMs: bigint, { steps, seconds }: { steps: number; seconds: bigint }) {
  const meter = new SlotDurationMeter();
  let known = DEFAULT;
  return Array.from({ length: steps }, (_, i) => {
    const slot = (BigInt(i) * seconds * 1_000n) / slotMs;
    known = meter.add(timeOf(slot, (slot * slotMs) / 1_000n), known);
    return msOf(known);
  });
}

const timeOf = (slot: bigint, unix: bigint): ChainTime => ({
  slot: toSlot(5_000_000n + slot),
  unix: toUnixSeconds(1_790_000_000n + unix),
});

test.each([300, 350, 387, 400])('slots of %i ms are measured exactly after an hour', (slotMs) => {
  const hours = measure(BigInt(slotMs), { steps: 3, seconds: 3_600n });
  expect(hours).toEqual([400, slotMs, slotMs]);
  const minutes = measure(BigInt(slotMs), { steps: 90, seconds: 60n });
  expect(minutes.slice(61)).toEqual(Array(29).fill(slotMs));
});

test('a mean that is not a whole number of milliseconds is a ratio', () => {
  const meter = new SlotDurationMeter();
  meter.add(timeOf(0n, 0n), DEFAULT);
  expect(meter.add(timeOf(9_990n, 3_600n), DEFAULT)).toEqual({
    numerator: 3_600_000n,
    denominator: 9_990n,
  });
});

test('a change is noticed after an hour', () => {
  const meter = new SlotDurationMeter();
  let known = DEFAULT;
  const add = (slot: bigint, unix: bigint) => {
    known = meter.add(timeOf(slot, unix), known);
    return msOf(known);
  };
  expect(add(0n, 0n)).toBe(400);
  expect(add(9_000n, 3_600n)).toBe(400);
  expect(add(9_000n + 6_000n, 5_400n)).toBeLessThan(400);
  add(9_000n + 12_000n, 7_200n);
  expect(add(9_000n + 18_000n, 9_000n)).toBe(300);
});

test('a few seconds do not tell another duration, and no time tells nothing', () => {
  const meter = new SlotDurationMeter();
  meter.add(timeOf(0n, 0n), DEFAULT);
  expect(meter.add(timeOf(1n, 0n), DEFAULT)).toBe(DEFAULT);
  expect(meter.add(timeOf(54n, 21n), DEFAULT)).toBe(DEFAULT);
  expect(meter.add(timeOf(54n, 23n), DEFAULT)).not.toBe(DEFAULT);
});
