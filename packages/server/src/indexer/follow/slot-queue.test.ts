import { type ChainTime, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotQueue } from './slot-queue.ts';

const slot = (number: number) => toSlot(BigInt(number));
const at = (number: number): ChainTime => ({ slot: slot(number), unix: toUnixSeconds(0n) });

function createQueue() {
  const runs: string[] = [];
  const queue = new SlotQueue((time) => void runs.push(`at ${time.slot}`));
  const push = (number: number, name: string) =>
    queue.push({ slot: slot(number), run: () => void runs.push(name) });
  return { queue, runs, push };
}

test('changes wait for their slot and run in order of arrival', () => {
  const { queue, runs, push } = createQueue();
  queue.startQueueing();
  push(3, 'c');
  push(2, 'b');
  push(1, 'a');
  expect(queue.advance(at(2))).toBe(true);
  expect(runs).toEqual(['b', 'a', 'at 2']);
  expect(queue.advance(at(1))).toBe(false);
  push(2, 'late');
  expect(queue.advance(at(3))).toBe(true);
  expect(runs).toEqual(['b', 'a', 'at 2', 'late', 'c', 'at 3']);
});

test('before queueing starts changes run immediately, and no earlier slot is complete', () => {
  const { queue, runs, push } = createQueue();
  push(7, 'a');
  expect(queue.advance(at(8))).toBe(false);
  queue.startQueueing();
  expect(queue.advance(at(6))).toBe(false);
  expect(queue.advance(at(7))).toBe(true);
  expect(runs).toEqual(['a', 'at 7']);
});

test('a wait for a slot resolves when it is complete and rejects after the timeout', async () => {
  const { queue } = createQueue();
  queue.startQueueing();
  const soon = queue.waitForSlot(slot(5), 60_000);
  const never = queue.waitForSlot(slot(6), 1);
  await expect(never).rejects.toMatchObject({ code: 'STALE_READ', context: { minSlot: 6n } });
  queue.advance(at(5));
  await expect(soon).resolves.toBeUndefined();
});

test('nobody may rely on a slot that is doubted', async () => {
  const { queue } = createQueue();
  queue.startQueueing();
  queue.advance(at(5));
  queue.doubtAfter(slot(3));
  expect([queue.completeSlot, queue.knownSlot]).toEqual([5n, 3n]);
  await expect(queue.waitForSlot(slot(3), 1)).resolves.toBeUndefined();
  await expect(queue.waitForSlot(slot(4), 1)).rejects.toMatchObject({ context: { slot: 3n } });
  const waiting = queue.waitForSlot(slot(5), 60_000);
  queue.trust();
  await expect(waiting).resolves.toBeUndefined();
});
