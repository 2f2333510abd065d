import { type Slot, toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { ForkTracker } from './fork-tracker.ts';

const slots = (...numbers: number[]): Slot[] => numbers.map((number) => toSlot(BigInt(number)));

function trackerOf(...links: (readonly [number, number])[]): ForkTracker {
  const tracker = new ForkTracker();
  for (const [slot, parent] of links) tracker.add(toSlot(BigInt(slot)), toSlot(BigInt(parent)));
  return tracker;
}

test('slots beside the ancestors of a confirmed slot are abandoned, once', () => {
  const tracker = trackerOf([101, 100], [102, 101], [103, 101], [104, 102], [105, 103], [106, 105]);
  expect(tracker.confirm(toSlot(106n))).toEqual(slots(102, 104));
  expect(tracker.confirm(toSlot(106n))).toEqual([]);
});

test('a chain without forks and skipped slots abandon nothing', () => {
  expect(trackerOf([101, 100], [104, 101], [105, 104]).confirm(toSlot(105n))).toEqual([]);
});

test('slots before an unknown ancestor are not judged', () => {
  const tracker = trackerOf([101, 100], [102, 100], [106, 105], [107, 106]);
  expect(tracker.confirm(toSlot(107n))).toEqual([]);
});

test('a later slot on another fork is not judged yet', () => {
  const tracker = trackerOf([101, 100], [102, 101], [103, 100]);
  expect(tracker.confirm(toSlot(102n))).toEqual([]);
  tracker.add(toSlot(104n), toSlot(102n));
  expect(tracker.confirm(toSlot(104n))).toEqual(slots(103));
});
