import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotUpdates } from './slot-updates.ts';

const seven = toSlot(7n);

function setUp() {
  const updates = new SlotUpdates();
  const applied: string[] = [];
  const add = (slot: bigint, name: string) =>
    updates.add(toSlot(slot), () => void applied.push(name));
  return { updates, applied, add };
}

test('updates of an abandoned slot that wait are not applied', () => {
  const { updates, applied, add } = setUp();
  const [first, second, other] = [add(7n, 'a'), add(7n, 'b'), add(8n, 'c')];
  expect(updates.cancel(seven)).toBe(false);
  for (const run of [first, second, other]) run();
  expect(applied).toEqual(['c']);
});

test('an abandoned slot of which something was applied must be undone', () => {
  const { updates, applied, add } = setUp();
  const [first, second] = [add(7n, 'a'), add(7n, 'b')];
  first();
  expect(updates.cancel(seven)).toBe(true);
  second();
  expect(applied).toEqual(['a']);
  expect(updates.cancel(seven)).toBe(false);
});

test('a slot can be sent again after it was abandoned', () => {
  const { updates, applied, add } = setUp();
  const before = add(7n, 'before');
  updates.cancel(seven);
  const after = add(7n, 'after');
  before();
  after();
  expect(applied).toEqual(['after']);
});
