import { type Address, type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { SlotCapture } from './slot-capture.ts';

const LOAN = numberedAddress(1);

const account = (lamports: bigint, size = 1_000): ClusterAccount => ({
  owner: KLEND_PROGRAM,
  lamports,
  data: new Uint8Array(size),
});

/** State has only accounts whose update was applied, as with `onUpdate` and then `onChange`. */
function createCapture(maxBytes?: number) {
  const stored = new Map<Address, { readonly account: ClusterAccount; readonly slot: bigint }>();
  const state = {
    stored: (address: Address) => {
      const known = stored.get(address);
      return known && { address, ...known.account, slot: toSlot(known.slot) };
    },
  };
  const capture = new SlotCapture({
    state,
    hasAllPositions: () => true,
    hasKeepers: false,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  const apply = (slot: bigint, received: ClusterAccount) => {
    stored.set(LOAN, { account: received, slot });
    capture.onChange(LOAN, { slot: toSlot(slot), isVisible: true, received });
  };
  return {
    capture,
    complete: (slot: bigint) => capture.onSlot({ slot: toSlot(slot), unix: toUnixSeconds(slot) }),
    update(slot: bigint, received: ClusterAccount) {
      capture.onUpdate({ address: LOAN, account: received, slot: toSlot(slot) });
      apply(slot, received);
    },
    find: apply,
    next: () => capture.next(toSlot(1_000n)),
  };
}

test('a slot has the accounts before and after it, while state goes on', () => {
  const { capture, complete, update, next } = createCapture();
  complete(10n);
  update(12n, account(2n));
  update(13n, account(3n));
  complete(14n);
  expect(next()).toBe(12n);
  const { observed, updated } = capture.read(toSlot(12n), true);
  // it did not exist before, because state has all loans
  expect(observed.before).toEqual(new Map([[LOAN, undefined]]));
  expect(observed.after.get(LOAN)?.lamports).toBe(2n);
  expect(observed).toMatchObject({ isComplete: true, transactions: [] });
  expect(updated).toEqual(new Set([LOAN]));

  capture.settle(toSlot(12n), []);
  expect(next()).toBe(13n);
  expect(capture.read(toSlot(13n), true).observed.before.get(LOAN)?.lamports).toBe(2n);
  capture.settle(toSlot(13n), []);
  expect(next()).toBeUndefined();
});

test('slots before the first complete one, and incomplete ones, are not replayed', () => {
  const { complete, update, next } = createCapture();
  update(9n, account(1n));
  complete(10n);
  update(12n, account(2n));
  expect(next()).toBeUndefined();
  complete(12n);
  expect(next()).toBe(12n);
});

test('a gap begins again with what is complete after it', () => {
  const { capture, complete, update, next } = createCapture();
  complete(10n);
  update(11n, account(1n));
  capture.onGap();
  complete(14n);
  expect(next()).toBeUndefined();
  update(15n, account(2n));
  complete(15n);
  expect(next()).toBe(15n);
});

test('slots that may be closed again after a rollback are not replayed', () => {
  const { capture, complete, update, next } = createCapture();
  complete(10n);
  update(14n, account(1n));
  capture.onRollBack();
  complete(12n);
  update(13n, account(2n));
  complete(13n);
  expect(next()).toBeUndefined();
  complete(14n);
  update(15n, account(3n));
  complete(15n);
  expect(next()).toBe(15n);
});

test('an account that a read found to differ is unknown before', () => {
  const { capture, complete, update, find } = createCapture();
  complete(10n);
  update(11n, account(1n));
  find(14n, account(2n));
  update(14n, account(3n));
  update(15n, account(4n));
  complete(15n);
  const before = (slot: bigint) => capture.read(toSlot(slot), true).observed.before;
  expect(before(14n).has(LOAN)).toBe(false);
  expect(before(15n).get(LOAN)?.lamports).toBe(3n);
});

test('what waits is bounded', () => {
  const { capture, complete, update } = createCapture(10_000);
  complete(10n);
  for (let slot = 11n; slot < 20n; slot++) update(slot, account(slot));
  expect(capture.isFull).toBe(false);
  for (let slot = 20n; slot < 30n; slot++) update(slot, account(slot));
  expect(capture.isFull).toBe(true);
  capture.onGap();
  expect(capture.isFull).toBe(false);
});

test('during a pause nothing is held, and each transaction is counted once', () => {
  const { capture, complete, update, next } = createCapture();
  const see = (...slots: readonly bigint[]) =>
    capture.onTransactions(
      slots.map((slot) => ({
        signature: `of ${slot}`,
        slot: toSlot(slot),
        index: 0,
        response: {},
      })),
    );
  complete(10n);
  see(10n, 11n, 12n);
  update(11n, account(1n));
  complete(12n);
  capture.settle(toSlot(11n), []);

  capture.pause();
  update(12n, account(2n));
  see(13n, 14n);
  complete(13n);
  expect(next()).toBeUndefined();
  // that of 12 waited for its replay, that of 14 is not known completely yet
  expect(capture.takeSkipped(toSlot(13n))).toBe(2);
  see(13n);
  expect(capture.takeSkipped(toSlot(13n))).toBe(0);

  capture.resume();
  complete(15n);
  // late ones of slots that were not held, and the first of those that are held again
  see(14n, 15n, 16n);
  update(16n, account(3n));
  complete(16n);
  expect(capture.takeSkipped(toSlot(16n))).toBe(2);
  expect(next()).toBe(16n);
  expect(capture.read(toSlot(16n), true).signatures).toEqual(new Set(['of 16']));
});
