import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { blockHeightOf, blockhashOf, isRecentBlockhash } from './blockhash.ts';
import { chainTimeAt, msToNextSlot, slotAt } from './slot-time.ts';

test('the time of the slot that the wall clock is in is the wall clock, to the slot', () => {
  for (const now of [1_760_000_000_000, 1_760_000_000_399, 1_760_000_000_400, 1_760_000_123_456]) {
    const { slot, unix } = chainTimeAt(now);
    expect(slot).toBe(slotAt(now));
    expect(Number(unix)).toBeLessThanOrEqual(Math.floor(now / 1000));
    expect(Number(unix)).toBeGreaterThanOrEqual(Math.floor((now - 400) / 1000));
  }
});

test('a slot begins every 400 ms, when the wait for it is over', () => {
  const now = 1_760_000_000_123;
  const wait = msToNextSlot(now);
  expect(slotAt(now + wait) - slotAt(now)).toBe(1n);
  expect(slotAt(now + wait - 1)).toBe(slotAt(now));
  expect(msToNextSlot(now + wait)).toBe(400);
});

test('a blockhash is good for 150 blocks after its own', () => {
  const made = toSlot(400_000_000n);
  const hash = blockhashOf('seed', made);
  expect(isRecentBlockhash('seed', hash, toSlot(made + 150n))).toBe(true);
  expect(isRecentBlockhash('seed', hash, toSlot(made + 151n))).toBe(false);
  expect(isRecentBlockhash('seed', hash, toSlot(made - 1n))).toBe(false);
  expect(isRecentBlockhash('other', hash, made)).toBe(false);
});

test('a block height is not a slot', () => {
  expect(blockHeightOf(toSlot(400_000_000n))).toBe(379_000_000n);
});
