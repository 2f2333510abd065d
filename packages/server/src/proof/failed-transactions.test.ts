import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { createDeferred } from '../chain/deferred.ts';
import { CodedError } from '../errors.ts';
import type { SeenTransaction } from '../indexer/events/event-follower-options.ts';
import { FailedTransactions } from './failed-transactions.ts';

function createFailed(getBlockSignatures: () => Promise<readonly string[] | undefined>) {
  const seen: SeenTransaction[] = [];
  let reads = 0;
  const failed = new FailedTransactions({
    ledger: {
      getTransactions: async (signatures) => {
        reads += 1;
        return signatures.map((signature) => ({ signature }));
      },
      getBlockSignatures,
    },
    onTransactions: (transactions) => seen.push(...transactions),
    clock: () => 0,
  });
  const announce = (signature: string, slot: bigint) =>
    failed.add({ signature, slot: toSlot(slot), failed: true });
  return { failed, seen, announce, reads: () => reads };
}

test('an announced transaction is read with its place, and its slot waits', async () => {
  const block = createDeferred<readonly string[]>();
  const { failed, seen, announce } = createFailed(() => block.promise);
  announce('b', 8n);
  announce('a', 7n);
  expect(failed.oldestReading).toBe(7n);
  block.resolve(['other', 'a', 'b']);
  await expect.poll(() => failed.oldestReading).toBeUndefined();
  expect(seen.map(({ signature, slot, index }) => [signature, slot, index])).toEqual([
    ['b', 8n, 2],
    ['a', 7n, 1],
  ]);
});

test('one whose place nobody knows is left out', async () => {
  const { failed, seen, announce } = createFailed(async () => {
    throw new CodedError('SOURCE_REFUSES', { source: 'node', reason: 'no blocks' });
  });
  announce('a', 7n);
  await expect.poll(() => failed.oldestReading).toBeUndefined();
  expect(seen).toEqual([]);
});

test('few are read in a minute, and a stream needs no read', () => {
  const { failed, seen, announce, reads } = createFailed(async () => []);
  for (let i = 0; i < 50; i++) announce(`${i}`, 7n);
  expect(reads()).toBe(10);
  const whole = { signature: 'whole', slot: toSlot(7n), failed: true, transactionIndex: 3 };
  failed.add({ ...whole, transaction: {} });
  expect(seen).toMatchObject([{ signature: 'whole', index: 3 }]);
  expect(reads()).toBe(10);
});
