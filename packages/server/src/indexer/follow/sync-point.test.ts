import { type Slot, toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SyncPoint } from './sync-point.ts';

const slot = (number: number): Slot => toSlot(BigInt(number));

function setUp() {
  const queue = { completeSlot: slot(0) };
  return { queue, point: new SyncPoint(queue) };
}

test('before the first read, the slot is unknown', () => {
  const { queue, point } = setUp();
  queue.completeSlot = slot(5);
  point.noteGap(true);
  expect(point.take()).toBeUndefined();
});

test('after a gap, changes since the last complete slot may be missing', () => {
  const { queue, point } = setUp();
  point.noteRead(slot(10));
  queue.completeSlot = slot(20);
  point.noteGap(true);
  expect(point.take()).toBe(20n);
  expect(point.take()).toBeUndefined();
});

test('a gap before the first complete slot counts from the read', () => {
  const { point } = setUp();
  point.noteRead(slot(10));
  point.noteGap(true);
  expect(point.take()).toBe(10n);
});

test('the first of several gaps decides', () => {
  const { queue, point } = setUp();
  point.noteRead(slot(10));
  queue.completeSlot = slot(20);
  point.noteGap(true);
  queue.completeSlot = slot(30);
  point.noteGap(true);
  expect(point.take()).toBe(20n);
});

test('a slot that could not be read from is used again, unless an earlier one is', () => {
  const { queue, point } = setUp();
  point.noteRead(slot(10));
  queue.completeSlot = slot(20);
  point.noteGap(true);
  const first = point.take();
  point.noteGap(true);
  point.restore(first);
  expect(point.take()).toBe(20n);
  point.restore(slot(15));
  point.restore(slot(18));
  expect(point.take()).toBe(15n);
});

test('without updates, a complete slot says nothing: only reads count', () => {
  const { queue, point } = setUp();
  point.noteRead(slot(10));
  queue.completeSlot = slot(20);
  point.noteGap(false);
  expect(point.take()).toBe(20n);
  point.noteRead(slot(21));
  queue.completeSlot = slot(90);
  expect(point.take()).toBe(21n);
  // updates arrive again
  point.noteGap(true);
  expect(point.take()).toBe(21n);
});
