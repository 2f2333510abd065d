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
  const results: boolean[] = [];
  for (let taken = queue.take(1); taken.length > 0; taken = queue.take(1)) {
    results.push(queue.finish(taken, ['a']));
  }
  expect(results).toEqual([...new Array(7).fill(true), false]);
});

test('what is recorded does not wait again, and is tried as often as before when it is announced again', () => {
  const queue = new AnnouncedTransactions();
  for (const signature of ['a', 'b']) queue.add(announced(signature));
  expect(queue.finish(queue.take(2), ['b'])).toBe(true);
  expect(queue.take(2)).toEqual([announced('b')]);
  queue.finish([announced('b')], []);
  queue.add(announced('b'));
  for (let attempt = 1; attempt < 8; attempt++) {
    expect(queue.finish(queue.take(1), ['b'])).toBe(true);
  }
  expect(queue.finish(queue.take(1), ['b'])).toBe(false);
});
