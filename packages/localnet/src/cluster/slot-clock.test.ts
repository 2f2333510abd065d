import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotClock } from './slot-clock.ts';

const START_MS = 1_760_000_000_000;

function start(speed = 1) {
  let ms = START_MS;
  const clock = new SlotClock({ now: () => ms, speed, offset: 0n });
  const first = clock.slot;
  return {
    clock,
    slots: () => clock.slot - first,
    pass: (by: number) => {
      ms += by;
    },
    first,
  };
}

test('a slot lasts 400 ms of the wall clock, less at a higher speed', () => {
  const { slots, pass } = start();
  pass(4_000);
  expect(slots()).toBe(10n);
  const fast = start(50);
  fast.pass(4_000);
  expect(fast.slots()).toBe(500n);
});

test('a shifted clock is ahead, and one that is set continues from there', () => {
  const { clock, slots, pass, first } = start();
  clock.shift(100n);
  pass(400);
  expect(slots()).toBe(101n);
  clock.set(toSlot(first + 5n));
  pass(800);
  expect(slots()).toBe(7n);
  expect(clock.offset).toBe(first + 5n - (first + 1n));
});
