import { addressFromBytes, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import type { AccountUpdate } from '../../chain/source/chain-source.ts';
import { HeldUpdates } from './held-updates.ts';
import { SlotQueue } from './slot-queue.ts';

const update = (number: number) => {
  const address = addressFromBytes(new Uint8Array(32).fill(number));
  return {
    address,
    account: { owner: address, lamports: 1n, data: Uint8Array.of(number) },
    slot: toSlot(5n),
  };
};

function setUp(max: number) {
  const applied: number[] = [];
  const queue = new SlotQueue(() => undefined);
  queue.startQueueing();
  queue.advance({ slot: toSlot(4n), unix: toUnixSeconds(0n) });
  const apply = ({ account }: AccountUpdate) => void applied.push(account?.data[0] ?? 0);
  const held = new HeldUpdates({ queue, apply, max });
  const complete = (slot: bigint) => queue.advance({ slot: toSlot(slot), unix: toUnixSeconds(0n) });
  return { held, applied, complete };
}

test('updates are applied together when their slot is complete, and the rest after them', () => {
  const { held, applied, complete } = setUp(10);
  for (const number of [1, 2, 3]) held.add(update(number));
  held.queueFor(toSlot(6n), () => applied.push(99));
  complete(5n);
  expect(applied).toEqual([]);
  complete(6n);
  expect(applied).toEqual([1, 2, 3, 99]);
});

test('beyond the maximum, updates are applied at once, and no slot before theirs is complete', () => {
  const { held, applied, complete } = setUp(2);
  for (const number of [1, 2, 3]) held.add(update(number));
  expect(applied).toEqual([1, 2]);
  expect(complete(4n)).toBe(false);
  held.queueFor(toSlot(6n));
  expect(complete(6n)).toBe(true);
  expect(applied).toEqual([1, 2, 3]);
});

test('what was held before the read started over is not applied', () => {
  const { held, applied, complete } = setUp(10);
  held.add(update(1));
  held.clear();
  held.add(update(2));
  held.queueFor(toSlot(5n));
  complete(5n);
  expect(applied).toEqual([2]);
});
