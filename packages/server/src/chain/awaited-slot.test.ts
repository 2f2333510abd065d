import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { AwaitedSlot } from './awaited-slot.ts';

const slot = (value: number) => toSlot(BigInt(value));
const MINUTE_MS = 60_000;

test('a request waits for the poll that reaches its slot', async () => {
  const recorded = new AwaitedSlot();
  let polls = 0;
  const waiting = recorded.waitFor(slot(7), MINUTE_MS, () => {
    polls += 1;
  });
  expect(polls).toBe(1);
  recorded.update(slot(6));
  await new Promise(setImmediate);
  // a poll that failed
  recorded.update(undefined);
  await new Promise(setImmediate);
  expect(polls).toBe(3);
  recorded.update(slot(8));
  expect(await waiting).toBe(true);
  expect(await recorded.waitFor(slot(8), 0, () => undefined)).toBe(true);
});

test('a slot that is not reached in time is reported', async () => {
  const recorded = new AwaitedSlot();
  expect(await recorded.waitFor(slot(1), 5, () => undefined)).toBe(false);
  recorded.update(slot(9));
  recorded.update(slot(3));
  expect(await recorded.waitFor(slot(9), 0, () => undefined)).toBe(true);
});
