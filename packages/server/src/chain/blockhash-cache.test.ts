import { CodedError, type LatestBlockhash, toSlot } from '@tidegate/core/base';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { BlockhashCache } from './blockhash-cache.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The n-th answer is for slot n; it comes at once unless the test says otherwise. */
function setUp() {
  const source = {
    asked: 0,
    answer: async (latest: LatestBlockhash): Promise<LatestBlockhash> => latest,
  };
  const keeper = new BlockhashCache({
    fetchLatest: () => {
      source.asked += 1;
      const slot = toSlot(BigInt(source.asked));
      return source.answer({ slot, blockhash: `hash ${slot}`, lastValidBlockHeight: slot + 150n });
    },
    clock: Date.now,
    log: silentLog,
  });
  onTestFinished(() => keeper.close());
  return { source, keeper };
}

const down = async (): Promise<never> => {
  throw new CodedError('SOURCE_UNAVAILABLE', { source: 'node', reason: 'it is down' });
};
const later =
  (ms: number) =>
  (latest: LatestBlockhash): Promise<LatestBlockhash> =>
    new Promise((resolve) => setTimeout(() => resolve(latest), ms));

test('nothing is asked for until somebody needs one', async () => {
  const { source } = setUp();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(source.asked).toBe(0);
});

test('all who need the first one share one question', async () => {
  const { source, keeper } = setUp();
  source.answer = later(300);
  const answers = Promise.all([keeper.latest(), keeper.latest(), keeper.latest()]);
  await vi.advanceTimersByTimeAsync(300);
  expect((await answers).map(({ blockhash }) => blockhash)).toEqual(['hash 1', 'hash 1', 'hash 1']);
  expect(source.asked).toBe(1);
});

test('it comes with its slot and its last block', async () => {
  const { keeper } = setUp();
  expect(await keeper.latest()).toEqual({
    slot: 1n,
    blockhash: 'hash 1',
    lastValidBlockHeight: 151n,
  });
});

test('after the first nobody waits, and none is older than a few seconds', async () => {
  const { source, keeper } = setUp();
  await keeper.latest();
  source.answer = later(400);
  for (let ms = 0; ms < 120_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(100);
    const asked = source.asked;
    const { slot } = await keeper.latest();
    expect(source.asked).toBe(asked);
    expect(asked - Number(slot)).toBeLessThanOrEqual(1);
  }
  // two seconds and the time of an answer after the one before
  expect(source.asked).toBe(1 + 50);
});

test('new ones are asked for a minute longer than they are needed', async () => {
  const { source, keeper } = setUp();
  await keeper.latest();
  await vi.advanceTimersByTimeAsync(60_000);
  const { asked } = source;
  expect(asked).toBe(30);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(source.asked).toBe(asked);
  expect(vi.getTimerCount()).toBe(0);
});

test('one from before a long pause is not handed out', async () => {
  const { source, keeper } = setUp();
  await keeper.latest();
  await vi.advanceTimersByTimeAsync(3_600_000);
  const { asked } = source;
  expect((await keeper.latest()).blockhash).toBe(`hash ${asked + 1}`);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(source.asked).toBe(asked + 2);
});

test('while a source is down the last one serves for five seconds, then its failure is told', async () => {
  const { source, keeper } = setUp();
  await keeper.latest();
  const { answer } = source;
  source.answer = down;
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await keeper.latest()).blockhash).toBe('hash 1');
  await vi.advanceTimersByTimeAsync(1);
  expect((await catchError(keeper.latest()))?.code).toBe('SOURCE_UNAVAILABLE');
  source.answer = answer;
  await vi.advanceTimersByTimeAsync(2_000);
  const { asked } = source;
  expect((await keeper.latest()).blockhash).toBe(`hash ${asked}`);
  expect(source.asked).toBe(asked);
});

test('a slow answer counts from when it was asked for', async () => {
  const { source, keeper } = setUp();
  source.answer = later(4_000);
  const first = keeper.latest();
  await vi.advanceTimersByTimeAsync(4_000);
  expect((await first).blockhash).toBe('hash 1');
  source.answer = down;
  await vi.advanceTimersByTimeAsync(1_001);
  expect((await catchError(keeper.latest()))?.code).toBe('SOURCE_UNAVAILABLE');
});

test('a closed one asks no more by itself', async () => {
  const { source, keeper } = setUp();
  await keeper.latest();
  source.answer = later(500);
  await vi.advanceTimersByTimeAsync(2_100);
  keeper.close();
  const { asked } = source;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(source.asked).toBe(asked);
});
