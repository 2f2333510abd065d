import type { Logger } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { WriteQueue } from './write-queue.ts';

/** A queue whose first writes fail, and what it logs. */
function createQueue(failures: number) {
  const messages: string[] = [];
  const written: Batch[] = [];
  let left = failures;
  const add = (_: object, message: string) => messages.push(message);
  const log: Logger = { ...silentLog, info: add, warn: add };
  const writer = {
    async append(batch: Batch) {
      left -= 1;
      if (left >= 0) throw new Error('the database is down');
      written.push(batch);
    },
  };
  const queue = new WriteQueue({ writer, random: () => 0, log, retryMs: 1 });
  return { queue, messages, written };
}

const batches: readonly Batch[] = [{ points: [] }, { lendingEvents: [] }, { gaps: [] }];

test('after failures everything is written in order, and failure and recovery are logged once', async () => {
  const { queue, messages, written } = createQueue(2);
  for (const batch of batches) queue.push(batch);
  await expect.poll(() => written).toEqual(batches);
  await queue.stop();
  expect(messages).toEqual(['history was not written, retrying', 'history is written again']);
});

test('without a failure nothing is logged', async () => {
  const { queue, messages, written } = createQueue(0);
  for (const batch of batches) queue.push(batch);
  await queue.stop();
  expect([written, messages]).toEqual([batches, []]);
});

test('a task waits for the batches before it, is retried as they are, and the later ones wait for it', async () => {
  const { queue, written } = createQueue(0);
  const seen: number[] = [];
  let failures = 1;
  queue.push({ points: [] });
  queue.enqueue(async () => {
    seen.push(written.length);
    failures -= 1;
    if (failures >= 0) throw new Error('the database is down');
  });
  queue.push({ gaps: [] });
  await expect.poll(() => written).toEqual([{ points: [] }, { gaps: [] }]);
  expect(seen).toEqual([1, 1]);
});
