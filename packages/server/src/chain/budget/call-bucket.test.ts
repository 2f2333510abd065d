import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { assertAsyncProperty } from '../../../../../test/support/properties/assert-property.ts';
import { CallBucket } from './call-bucket.ts';
import { type CallPriority, callPriorities } from './call-priorities.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A bucket, and the labels of calls in the order in which they passed, with the time. */
function startBucket(perSecond: number) {
  const bucket = new CallBucket({ perSecond, now: () => performance.now() });
  const start = performance.now();
  const passed: { readonly label: string; readonly ms: number; readonly calls: number }[] = [];
  const take = (priority: CallPriority, label: string = priority, calls = 1) =>
    void bucket.take(calls, priority).then(() => {
      passed.push({ label, calls, ms: performance.now() - start });
    });
  return { bucket, passed, take, labels: () => passed.map(({ label }) => label) };
}

test('the calls of one second pass at once, later ones at the rate', async () => {
  const { passed, take, bucket } = startBucket(4);
  for (let i = 0; i < 8; i++) take('live');
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toHaveLength(4);
  expect(bucket.waiting).toBe(4);
  await vi.advanceTimersByTimeAsync(500);
  expect(passed).toHaveLength(6);
  await vi.advanceTimersByTimeAsync(500);
  expect(passed).toHaveLength(8);
  expect(bucket.waiting).toBe(0);
});

test('waiting calls of requests go before those that follow, and these before backfill', async () => {
  const { take, labels } = startBucket(1);
  take('live', 'first');
  for (const priority of callPriorities.toReversed()) {
    take(priority, `${priority} 1`);
    take(priority, `${priority} 2`);
  }
  await vi.advanceTimersByTimeAsync(20_000);
  expect(labels()).toEqual([
    'first',
    'user 1',
    'user 2',
    'live 1',
    'live 2',
    'backfill 1',
    'backfill 2',
  ]);
});

test('backfill leaves half of the bucket to others, and goes on while there is room', async () => {
  const { take, labels, passed } = startBucket(10);
  for (let i = 0; i < 30; i++) take('backfill');
  await vi.advanceTimersByTimeAsync(0);
  expect(passed.length).toBe(5);
  for (let i = 0; i < 5; i++) take('user');
  await vi.advanceTimersByTimeAsync(0);
  expect(labels().filter((label) => label === 'user')).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(labels().filter((label) => label === 'backfill')).toHaveLength(30);
});

test('a batch that is larger than the bucket passes, and is paid by those after it', async () => {
  const { take, passed } = startBucket(2);
  take('live', 'batch', 10);
  take('live', 'next');
  await vi.advanceTimersByTimeAsync(4_400);
  expect(passed.map(({ label }) => label)).toEqual(['batch']);
  await vi.advanceTimersByTimeAsync(200);
  expect(passed.map(({ label }) => label)).toEqual(['batch', 'next']);
});

test('property: no more calls pass than the rate and one second of burst allow, and all pass', async () => {
  const request = fc.record({
    afterMs: fc.integer({ min: 0, max: 400 }),
    priority: fc.constantFrom(...callPriorities),
  });
  await assertAsyncProperty(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(request, { minLength: 1, maxLength: 60 }),
      async (perSecond, requests) => {
        const { take, passed } = startBucket(perSecond);
        for (const { afterMs, priority } of requests) {
          await vi.advanceTimersByTimeAsync(afterMs);
          take(priority);
        }
        await vi.advanceTimersByTimeAsync(requests.length * 1_000 + 2_000);
        expect(passed).toHaveLength(requests.length);
        for (const [index, { ms }] of passed.entries()) {
          expect(index + 1).toBeLessThanOrEqual(perSecond * (1 + ms / 1000) + 1e-6);
        }
      },
    ),
    50,
  );
});
