import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { SlotReader } from './slot-reader.ts';

function setUp() {
  const noted: bigint[] = [];
  const node = { slot: 10n, reads: 0, during: () => undefined as unknown };
  const source = {
    getSlotTime: async () => {
      node.reads += 1;
      const slot = toSlot(node.slot);
      node.during();
      return { slot, unix: undefined };
    },
  };
  const reader = new SlotReader(source, { noteSlot: (slot) => noted.push(slot) });
  return { node, noted, reader };
}

test('one read serves all events before it', async () => {
  const { node, noted, reader } = setUp();
  const events = [reader.noteEvent(), reader.noteEvent()];
  for (const event of events) await reader.readAfter(event);
  expect([node.reads, noted]).toEqual([1, [10n]]);
});

test('an event during a read needs another read', async () => {
  const { node, noted, reader } = setUp();
  const first = reader.noteEvent();
  let second = 0;
  node.during = () => {
    node.during = () => undefined;
    second = reader.noteEvent();
    node.slot = 20n;
  };
  await reader.readAfter(first);
  await reader.readAfter(second);
  expect([node.reads, noted]).toEqual([2, [10n, 20n]]);
});

test('a read that failed serves no event', async () => {
  const { node, reader } = setUp();
  const event = reader.noteEvent();
  node.during = () => {
    throw new Error('no answer');
  };
  await expect(reader.readAfter(event)).rejects.toThrow('no answer');
  node.during = () => undefined;
  await reader.readAfter(event);
  expect(node.reads).toBe(2);
});
