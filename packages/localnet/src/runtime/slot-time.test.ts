import { type ChainTime, toSlot, toUnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { blockHeightOf, blockhashOf, isRecentBlockhash } from './blockhash.ts';
import {
  chainTimeAt,
  lastSlotBefore,
  slotAt,
  slotAtMs,
  slotMsAt,
  slotsBetween,
  startMsOf,
  timeOfSlot,
} from './slot-time.ts';

const SEPTEMBER_22 = Date.parse('2026-09-22T00:00:00Z');
const SEPTEMBER_29 = Date.parse('2026-09-29T00:00:00Z');

test.each([
  [1_760_000_000_000, 400],
  [SEPTEMBER_22, 350],
  [SEPTEMBER_29, 300],
])('from %i on, a slot takes %i ms', (now, slotMs) => {
  for (const ms of [now, now + slotMs - 1, now + slotMs, now + 123_456]) {
    const { slot, unix } = chainTimeAt(ms);
    expect(slot).toBe(slotAt(ms));
    expect(Number(unix)).toBeLessThanOrEqual(Math.floor(ms / 1000));
    expect(Number(unix)).toBeGreaterThanOrEqual(Math.floor((ms - slotMs) / 1000));
  }
  expect(slotAt(now + 1_000 * slotMs) - slotAt(now)).toBe(1_000n);
  expect(slotMsAt(chainTimeAt(now + 60_000))).toBe(BigInt(slotMs));
});

test('a day of slots that become shorter at noon has slots of both durations', () => {
  const day = (ms: number) => BigInt(ms / 1000);
  expect(slotsBetween(day(SEPTEMBER_22) - 43_200n, day(SEPTEMBER_22) + 43_200n)).toBe(
    // rounded up
    43_200_000n / 400n + 43_200_000n / 350n + 1n,
  );
  expect(slotsBetween(day(SEPTEMBER_29) - 42n, day(SEPTEMBER_29) + 42n)).toBe(120n + 140n);
});

const origins = fc
  .record({
    slot: fc.bigInt(1_000_000_000n, 2_000_000_000n),
    unix: fc.bigInt(1_789_000_000n, 1_792_000_000n),
  })
  .map(({ slot, unix }): ChainTime => ({ slot: toSlot(slot), unix: toUnixSeconds(unix) }));

test('property: a slot begins in its first millisecond, and its time is the second of it', () => {
  const slots = fc.bigInt(-10_000_000n, 10_000_000n);
  assertProperty(
    fc.property(origins, slots, (origin, distance) => {
      const slot = toSlot(origin.slot + distance);
      const startMs = startMsOf(origin, slot);
      expect(slotAtMs(origin, startMs)).toBe(slot);
      expect(slotAtMs(origin, startMs - 1n)).toBe(slot - 1n);
      const { unix } = timeOfSlot(origin, slot);
      expect((startMs - 1n) / 1000n).toBeLessThanOrEqual(unix);
      expect(unix).toBeLessThanOrEqual(startMs / 1000n);
      const last = lastSlotBefore(origin, unix + 1n);
      expect(timeOfSlot(origin, last).unix).toBe(unix);
      expect(timeOfSlot(origin, toSlot(last + 1n)).unix).toBe(unix + 1n);
    }),
    500,
  );
});

test('a blockhash is valid for 150 blocks', () => {
  const createdSlot = toSlot(400_000_000n);
  const hash = blockhashOf('seed', createdSlot);
  expect(isRecentBlockhash('seed', hash, toSlot(createdSlot + 150n))).toBe(true);
  expect(isRecentBlockhash('seed', hash, toSlot(createdSlot + 151n))).toBe(false);
  expect(isRecentBlockhash('seed', hash, toSlot(createdSlot - 1n))).toBe(false);
  expect(isRecentBlockhash('other', hash, createdSlot)).toBe(false);
});

test('the block height differs from the slot', () => {
  expect(blockHeightOf(toSlot(400_000_000n))).toBe(379_000_000n);
});
