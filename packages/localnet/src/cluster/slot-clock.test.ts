import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotClock } from './slot-clock.ts';

const FIRST = toSlot(1_000n);

function start({ speed = 1, unix = 1_760_000_000n } = {}) {
  let ms = 1_800_000_000_123;
  const origin = { slot: FIRST, unix: toUnixSeconds(unix) };
  const clock = new SlotClock({ now: () => ms, speed, origin, slot: FIRST });
  return {
    clock,
    slots: () => clock.slot - FIRST,
    pass: (by: number) => {
      ms += by;
    },
  };
}

test('a slot takes as long as slots do at its time, less at a higher speed', () => {
  const { clock, slots, pass } = start();
  expect(clock.msToNextSlot).toBe(400);
  pass(4_100);
  expect(slots()).toBe(10n);
  expect(clock.msToNextSlot).toBe(300);
  const short = start({ unix: 1_791_000_000n });
  short.pass(4_200);
  expect(short.slots()).toBe(14n);
  const fast = start({ speed: 50 });
  expect(fast.clock.msToNextSlot).toBe(8);
  fast.pass(4_000);
  expect(fast.slots()).toBe(500n);
});

test('a clock that is set continues from the start of that slot', () => {
  const { clock, slots, pass } = start();
  pass(100);
  clock.set(toSlot(FIRST + 100n));
  expect(slots()).toBe(100n);
  pass(400);
  expect(slots()).toBe(101n);
  clock.set(toSlot(FIRST + 5n));
  pass(800);
  expect(slots()).toBe(7n);
});
