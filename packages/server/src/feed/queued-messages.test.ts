import { expect, test } from 'vitest';
import { QueuedMessages } from './queued-messages.ts';

const message = (position: number, length: number) => ({ position, bytes: new Uint8Array(length) });

test('the bytes of removed and cleared messages do not count', () => {
  const queue = new QueuedMessages(10);
  const [first, second] = [message(1, 6), message(2, 4)];
  expect([queue.add(first), queue.add(second)]).toEqual([true, true]);
  expect(queue.remove(first)).toBe(true);
  expect([queue.first, queue.length]).toEqual([second, 1]);
  expect([queue.add(message(3, 6)), queue.add(message(4, 1))]).toEqual([true, false]);
  queue.clear();
  expect([queue.first, queue.length, queue.add(message(5, 10))]).toEqual([undefined, 0, true]);
});

test('a message that was cleared while it was sent is not removed again', () => {
  const queue = new QueuedMessages(10);
  const [sent, next] = [message(1, 5), message(2, 5)];
  queue.add(sent);
  queue.clear();
  queue.add(next);
  expect(queue.remove(sent)).toBe(false);
  expect(queue.first).toBe(next);
});
