import { addressFromBytes, type Commitment, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import type { ResumePoint } from '../../source/stream.ts';
import { SlotBuffer } from './slot-buffer.ts';
import type { SubscribeUpdate, UpdateMessage } from './subscribe-update.ts';

const DEAD = 6;
const levels = { processed: 0, confirmed: 1, finalized: 2 };
const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));

/** A buffer, what it delivers as text, and functions that add messages. */
function setUp(
  commitment: Commitment = 'confirmed',
  options: { resume?: ResumePoint; maxBytes?: number } = {},
) {
  const delivered: string[] = [];
  const { maxBytes = 1_000_000, resume } = options;
  const buffer = new SlotBuffer({
    commitment,
    maxBytes,
    resume,
    onComplete: ({ slot, unix, accounts, transactions }, isLate) => {
      const written = accounts.map(
        ({ message, filters }) => `${message.account?.data[0] ?? 'closed'}(${[...filters]})`,
      );
      const signed = transactions.map(
        ({ message, filters }) => `${message.signature}(${[...filters]})`,
      );
      const time = unix === undefined ? '' : ` at ${unix}`;
      delivered.push([`${slot}${time}${isLate ? ' late' : ''}`, ...signed, ...written].join(' '));
    },
    onDead: (slot) => delivered.push(`${slot} dead`),
  });
  const add = (message: UpdateMessage, filters: readonly string[] = []) =>
    buffer.add({ filters, message } satisfies SubscribeUpdate);
  const status = (slot: number, number = levels[commitment], parent = slot - 1) =>
    add({ kind: 'slot', slot: slotOf(slot), parent: slotOf(parent), status: number });
  const block = (slot: number) =>
    add({ kind: 'block', slot: slotOf(slot), unix: toUnixSeconds(BigInt(1_000 + slot)) });
  const account = (slot: number, byte: number, { version = 1, id = byte, filter = 'f1' } = {}) => {
    const content = { owner: addressOf(9), lamports: 1n, data: Uint8Array.of(byte) };
    const writeVersion = BigInt(version);
    const address = addressOf(id);
    add({ kind: 'account', slot: slotOf(slot), address, account: content, writeVersion }, [filter]);
  };
  const transaction = (slot: number, signature: string, { index = 0, filter = 'f2' } = {}) => {
    const encoded =
      filter === 'logs' ? undefined : { signed: new Uint8Array(), meta: new Uint8Array() };
    const position = { slot: slotOf(slot), signature, transactionIndex: index };
    add({ kind: 'transaction', ...position, failed: false, encoded }, [filter]);
  };
  return { buffer, delivered, status, block, account, transaction };
}

const slotOf = (slot: number) => toSlot(BigInt(slot));

/** A buffer that has delivered slot 10. */
function setUpAt10(commitment: Commitment = 'confirmed', maxBytes = 1_000_000) {
  const buffer = setUp(commitment, { maxBytes });
  buffer.status(10);
  expect(buffer.delivered.splice(0)).toEqual(['10']);
  return buffer;
}

test('a slot is delivered at once when its block and its status have arrived', () => {
  const { delivered, status, block, account, transaction } = setUpAt10();
  transaction(11, 'second', { index: 7 });
  account(11, 1);
  transaction(11, 'first', { index: 3 });
  block(11);
  expect(delivered).toEqual([]);
  status(11);
  expect(delivered).toEqual(['11 at 1011 first(f2) second(f2) 1(f1)']);
});

test('a slot whose status comes first is delivered when a later one is announced', () => {
  const { delivered, status, block, account } = setUpAt10();
  status(11);
  account(11, 1);
  block(11);
  expect(delivered).toEqual([]);
  status(12);
  expect(delivered).toEqual(['11 at 1011 1(f1)']);
});

test('statuses of other levels and repeated ones deliver nothing', () => {
  const { delivered, status, block } = setUpAt10();
  block(11);
  for (const level of [0, 2, 3, 4, 5]) status(11, level);
  expect(delivered).toEqual([]);
  status(11);
  status(11);
  status(9);
  expect(delivered).toEqual(['11 at 1011']);
});

test('of two writes of an account in a slot, the newer is delivered, to the filters of both', () => {
  const { delivered, status, block, account } = setUpAt10();
  account(11, 5, { id: 1, version: 8, filter: 'f1' });
  account(11, 4, { id: 1, version: 7, filter: 'f3' });
  block(11);
  status(11);
  expect(delivered).toEqual(['11 at 1011 5(f1,f3)']);
});

test('a transaction and its result are delivered together', () => {
  const { delivered, status, block, transaction } = setUpAt10();
  transaction(11, 'a', { filter: 'logs' });
  transaction(11, 'a');
  block(11);
  status(11);
  expect(delivered).toEqual(['11 at 1011 a(logs,f2)']);
});

test('what was delivered is not delivered again; what arrives late is delivered once', () => {
  const { delivered, status, block, account, transaction } = setUpAt10();
  account(11, 1);
  transaction(11, 'a');
  block(11);
  status(11);
  account(11, 1);
  transaction(11, 'a');
  expect(delivered).toEqual(['11 at 1011 a(f2) 1(f1)']);
  account(11, 2, { id: 1, version: 2 });
  account(11, 2, { id: 1, version: 2 });
  expect(delivered.slice(1)).toEqual(['11 at 1011 late 2(f1)']);
});

test('a resumed buffer delivers only what the earlier one did not', () => {
  const first = setUpAt10();
  first.account(11, 1);
  first.block(11);
  first.status(11);
  first.account(12, 2);
  const resume = first.buffer.resumePoint();
  expect(resume?.slot).toBe(11n);
  if (resume === undefined) return;
  const { delivered, status, block, account } = setUp('confirmed', { resume });
  for (const slot of [11, 12]) {
    account(slot, slot - 10);
    block(slot);
    status(slot);
  }
  expect(delivered).toEqual(['12 at 1012 2(f1)']);
});

test('nothing of a dead slot is delivered', () => {
  const { delivered, status, block, account } = setUpAt10();
  account(11, 1);
  status(11, DEAD);
  account(12, 2);
  block(12);
  status(12, levels.confirmed, 10);
  expect(delivered).toEqual(['12 at 1012 2(f1)']);
});

test('nothing of a slot between a confirmed one and its parent is delivered', () => {
  const { delivered, status, block, account } = setUpAt10();
  account(11, 1);
  account(12, 2);
  account(13, 3);
  block(13);
  status(13, levels.confirmed, 11);
  expect(delivered).toEqual(['11 1(f1)', '13 at 1013 3(f1)']);
});

test('at processed, a slot that dies after its delivery is reported, and can be delivered again', () => {
  const { delivered, status, block, account } = setUpAt10('processed');
  account(11, 1);
  block(11);
  status(11);
  status(11, DEAD);
  status(11, DEAD);
  expect(delivered).toEqual(['11 at 1011 1(f1)', '11 dead']);
  account(11, 1);
  expect(delivered.slice(2)).toEqual(['11 at 1011 late 1(f1)']);
});

test('at processed, slots of an abandoned fork are reported when another one is confirmed', () => {
  const { delivered, status, block } = setUpAt10('processed');
  for (const [slot, parent] of [
    [11, 10],
    [12, 11],
    [13, 11],
    [14, 13],
  ] as const) {
    block(slot);
    status(slot, levels.processed, parent);
  }
  delivered.splice(0);
  status(14, levels.confirmed, 13);
  expect(delivered).toEqual(['12 dead']);
});

test('updates that wait for slots take limited memory', () => {
  const { status, block, account } = setUpAt10('confirmed', 2_000);
  for (let id = 1; id <= 4; id++) account(11, id);
  // replaced, not added
  account(11, 7, { id: 1, version: 2 });
  block(11);
  status(11);
  for (let id = 1; id <= 4; id++) account(12, id);
  expect(() => account(13, 5)).toThrow(/over 2000 bytes wait for slots/);
});
