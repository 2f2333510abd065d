import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { AnnouncedTransactions } from './announced-transactions.ts';

const announced = (signature: string, slot = 5n) => ({
  signature,
  slot: toSlot(slot),
  failed: false,
});
const whole = (signature: string, slot = 5n) => ({
  ...announced(signature, slot),
  transaction: { of: signature },
  transactionIndex: 0,
});

test('a transaction that is announced by several programs, or twice, waits once', () => {
  const queue = new AnnouncedTransactions();
  for (const signature of ['a', 'b', 'a']) queue.add(announced(signature));
  queue.add({ ...announced('c'), failed: true });
  expect(queue.take(10).map(({ signature }) => signature)).toEqual(['a', 'b']);
  expect(queue.size).toBe(0);
});

test('a whole transaction stays whole if only its signature is announced again in the same slot', () => {
  const queue = new AnnouncedTransactions();
  queue.add(whole('a'));
  queue.add(announced('a', 5n));
  queue.add(whole('b'));
  queue.add(announced('b', 6n));
  expect(queue.take(10)).toEqual([whole('a'), announced('b', 6n)]);
  expect(queue.take(10)).toEqual([]);
});

test('whole transactions are not held without bound', () => {
  const queue = new AnnouncedTransactions();
  for (let i = 0; i < 12_000; i++) queue.add(whole(`${i}`));
  expect(queue.size).toBe(10_000);
  const taken = queue.take(20_000);
  expect(taken.filter((each) => 'transaction' in each)).toHaveLength(1_000);
  expect(queue.add(announced('more'))).toBe(true);
});

test('what a node never returns is given up', () => {
  const queue = new AnnouncedTransactions();
  queue.add(announced('a'));
  let attempts = 0;
  for (let [taken] = queue.take(1); taken !== undefined; [taken] = queue.take(1)) {
    attempts += 1;
    queue.putBack(taken);
  }
  expect(attempts).toBe(8);
});
