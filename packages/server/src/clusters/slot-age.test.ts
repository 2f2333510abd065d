import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotAge } from './slot-age.ts';

test('a slot is as old as the time since it arrived, also if it arrives again', () => {
  let now = 1_000;
  const age = new SlotAge(() => now);
  expect(age.ms).toBe(0);
  age.note(toSlot(7n));
  now += 40;
  age.note(toSlot(7n));
  expect(age.ms).toBe(40);
  age.note(toSlot(8n));
  expect(age.ms).toBe(0);
});

test('a slot from another process has the age that it had there', () => {
  let now = 1_000;
  const age = new SlotAge(() => now);
  age.note(toSlot(7n), 300);
  now += 40;
  expect(age.ms).toBe(340);
  age.note(toSlot(7n), 390);
  expect(age.ms).toBe(390);
});
