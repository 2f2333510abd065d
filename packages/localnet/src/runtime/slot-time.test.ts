import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { blockHeightOf, blockhashOf, isRecentBlockhash } from './blockhash.ts';
import { chainTimeAt, msToNextSlot, slotAt } from './slot-time.ts';

test('the time of the current slot matches the wall clock within one slot', () => {
  for (const now of [1_760_000_000_000, 1_760_000_000_399, 1_760_000_000_400, 1_760_000_123_456]) {
    const { slot, unix } = chainTimeAt(now);
    expect(slot).toBe(slotAt(now));
    expect(Number(unix)).toBeLessThanOrEqual(Math.floor(now / 1000));
    expect(Number(unix)).toBeGreaterThanOrEqual(Math.floor((now - 400) / 1000));
  }
});

test('a slot starts every 400 ms', () => {
  const now = 1_760_000_000_123;
  const wait = msToNextSlot(now);
  expect(slotAt(now + wait) - slotAt(now)).toBe(1n);
  expect(slotAt(now + wait - 1)).toBe(slotAt(now));
  expect(msToNextSlot(now + wait)).toBe(400);
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
