import { toSlot } from '@tidegate/core/base';
import { expect, test, vi } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import type { SubscriptionListener, SubscriptionTarget } from '../../chain/source/chain-source.ts';
import { CodedError } from '../../errors.ts';
import { TransactionAnnouncements } from './transaction-announcements.ts';

const PROGRAMS = [numberedAddress(1), numberedAddress(2)];
const notice = { slot: toSlot(7n), signature: 'a', failed: false };

/** Announcements of a source that accepts only these kinds. */
function startAnnouncements(kinds: readonly SubscriptionTarget['kind'][]) {
  const accepted = new Set<string>(kinds);
  const open = new Map<SubscriptionTarget, SubscriptionListener>();
  const subscribe = (target: SubscriptionTarget, listener: SubscriptionListener) => {
    const ready = Promise.resolve().then(() => {
      if (!accepted.has(target.kind)) {
        throw new CodedError('SOURCE_REFUSES', { source: 'a', reason: 'not this' });
      }
      open.set(target, listener);
    });
    return { ready, stop: () => void open.delete(target) };
  };
  const onTransaction = vi.fn();
  const onGap = vi.fn();
  const announcements = new TransactionAnnouncements({
    source: { subscribe },
    programs: PROGRAMS,
    onTransaction,
    onGap,
  });
  announcements.start();
  const listenerOf = (kind: SubscriptionTarget['kind']) =>
    [...open].find(([target]) => target.kind === kind)?.[1];
  return { announcements, accepted, open, listenerOf, onTransaction, onGap };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('are reliable when all programs are subscribed, and say that earlier transactions were missed', async () => {
  const { announcements, onGap, open } = startAnnouncements(['logs']);
  expect(announcements.isReliable).toBe(false);
  await nextTurn();
  expect(announcements.isReliable).toBe(true);
  expect(announcements.isStreamed).toBe(false);
  expect(open.size).toBe(2);
  expect(onGap).toHaveBeenCalledOnce();
});

test('are not reliable without any subscription', async () => {
  const { announcements, onGap } = startAnnouncements([]);
  await nextTurn();
  expect(announcements.isReliable).toBe(false);
  expect(onGap).not.toHaveBeenCalled();
});

test('after a gap they are reliable from the next announcement on', async () => {
  const { announcements, onGap, listenerOf } = startAnnouncements(['logs']);
  await nextTurn();
  listenerOf('logs')?.onGap('connection lost');
  expect(announcements.isReliable).toBe(false);
  expect(onGap).toHaveBeenCalledTimes(2);
  listenerOf('logs')?.onLogs?.({ ...notice, failed: true });
  expect(announcements.isReliable).toBe(true);
});

test('after a gap what was rejected before is tried again', async () => {
  const { announcements, accepted, listenerOf } = startAnnouncements(['logs']);
  await nextTurn();
  accepted.add('transactions');
  listenerOf('logs')?.onGap('another source');
  await nextTurn();
  const stream = listenerOf('transactions');
  stream?.onTransaction?.({ ...notice, transaction: {}, transactionIndex: 3 });
  expect(announcements.isStreamed).toBe(true);
  // the source that replaces it sends logs only
  listenerOf('logs')?.onGap('another source');
  listenerOf('logs')?.onLogs?.({ ...notice, slot: toSlot(9n) });
  expect(announcements.isStreamed).toBe(false);
  expect(announcements.isReliable).toBe(true);
});

test('know in which slots a transaction succeeded, and pass on only those', async () => {
  const { announcements, listenerOf, onTransaction } = startAnnouncements(['logs']);
  await nextTurn();
  const logs = listenerOf('logs');
  logs?.onLogs?.(notice);
  logs?.onLogs?.({ slot: toSlot(9n), signature: 'b', failed: true });
  expect(onTransaction.mock.calls).toEqual([[notice]]);
  expect(announcements.hasAnnounced(toSlot(6n), toSlot(7n))).toBe(true);
  expect(announcements.hasAnnounced(toSlot(7n), toSlot(20n))).toBe(false);
});

test('an abandoned slot is a gap, and leaves them reliable', async () => {
  const { announcements, listenerOf, onGap } = startAnnouncements(['transactions']);
  await nextTurn();
  listenerOf('transactions')?.onSlotDead?.(toSlot(7n));
  expect(onGap).toHaveBeenCalledTimes(2);
  expect(announcements.isReliable).toBe(true);
});
