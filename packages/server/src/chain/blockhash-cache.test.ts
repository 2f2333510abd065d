import { type LatestBlockhash, toSlot } from '@tidegate/core/base';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { CodedError } from '../errors.ts';
import { BlockhashCache } from './blockhash-cache.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The n-th response is for slot n. It arrives immediately unless the test replaces `respond`. */
function setUp() {
  const source = {
    requests: 0,
    /** The slot of state. */
    slot: toSlot(1n),
    respond: async (latest: LatestBlockhash): Promise<LatestBlockhash> => latest,
  };
  const cache = new BlockhashCache({
    fetchLatest: () => {
      source.requests += 1;
      const slot = toSlot(BigInt(source.requests));
      return source.respond({ slot, blockhash: `hash ${slot}`, lastValidBlockHeight: slot + 150n });
    },
    currentSlot: () => source.slot,
    clock: Date.now,
    log: silentLog,
  });
  onTestFinished(() => cache.close());
  return { source, cache };
}

const down = async (): Promise<never> => {
  throw new CodedError('SOURCE_UNAVAILABLE', { source: 'node', reason: 'it is down' });
};
const later =
  (ms: number) =>
  (latest: LatestBlockhash): Promise<LatestBlockhash> =>
    new Promise((resolve) => setTimeout(() => resolve(latest), ms));

test('a blockhash of many slots ago is fetched again, whatever the clock says', async () => {
  const { source, cache } = setUp();
  expect((await cache.latest()).slot).toBe(1n);
  source.slot = toSlot(33n);
  expect((await cache.latest()).slot).toBe(1n);
  source.slot = toSlot(40n);
  source.requests = 37;
  expect((await cache.latest()).slot).toBe(38n);
});

test('one that was requested before state jumped is not returned', async () => {
  const { source, cache } = setUp();
  source.respond = later(10);
  const first = cache.latest();
  await vi.advanceTimersByTimeAsync(5);
  source.slot = toSlot(1_000n);
  source.requests = 999;
  await vi.advanceTimersByTimeAsync(20);
  expect((await first).slot).toBe(1_000n);
});

test('the cache sends no request before its first use', async () => {
  const { source } = setUp();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(source.requests).toBe(0);
});

test('concurrent callers share one request', async () => {
  const { source, cache } = setUp();
  source.respond = later(300);
  const responses = Promise.all([cache.latest(), cache.latest(), cache.latest()]);
  await vi.advanceTimersByTimeAsync(300);
  expect((await responses).map(({ blockhash }) => blockhash)).toEqual([
    'hash 1',
    'hash 1',
    'hash 1',
  ]);
  expect(source.requests).toBe(1);
});

test('a blockhash has its slot and its last valid block height', async () => {
  const { cache } = setUp();
  expect(await cache.latest()).toEqual({
    slot: 1n,
    blockhash: 'hash 1',
    lastValidBlockHeight: 151n,
  });
});

test('after the first use callers do not wait, and no blockhash is older than a few seconds', async () => {
  const { source, cache } = setUp();
  await cache.latest();
  source.respond = later(400);
  for (let ms = 0; ms < 120_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(100);
    const requests = source.requests;
    const { slot } = await cache.latest();
    expect(source.requests).toBe(requests);
    expect(requests - Number(slot)).toBeLessThanOrEqual(1);
  }
  // one request per 2 seconds plus the response time
  expect(source.requests).toBe(1 + 50);
});

test('the cache stops refreshing one minute after its last use', async () => {
  const { source, cache } = setUp();
  await cache.latest();
  await vi.advanceTimersByTimeAsync(60_000);
  const { requests } = source;
  expect(requests).toBe(30);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(source.requests).toBe(requests);
  expect(vi.getTimerCount()).toBe(0);
});

test('a blockhash from before a long pause is not returned', async () => {
  const { source, cache } = setUp();
  await cache.latest();
  await vi.advanceTimersByTimeAsync(3_600_000);
  const { requests } = source;
  expect((await cache.latest()).blockhash).toBe(`hash ${requests + 1}`);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(source.requests).toBe(requests + 2);
});

test('while the source is down the cache serves the last blockhash for five seconds, then throws', async () => {
  const { source, cache } = setUp();
  await cache.latest();
  const { respond } = source;
  source.respond = down;
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await cache.latest()).blockhash).toBe('hash 1');
  await vi.advanceTimersByTimeAsync(1);
  expect((await catchError(cache.latest()))?.code).toBe('SOURCE_UNAVAILABLE');
  source.respond = respond;
  await vi.advanceTimersByTimeAsync(2_000);
  const { requests } = source;
  expect((await cache.latest()).blockhash).toBe(`hash ${requests}`);
  expect(source.requests).toBe(requests);
});

test('the age of a slow response counts from its request', async () => {
  const { source, cache } = setUp();
  source.respond = later(4_000);
  const first = cache.latest();
  await vi.advanceTimersByTimeAsync(4_000);
  expect((await first).blockhash).toBe('hash 1');
  source.respond = down;
  await vi.advanceTimersByTimeAsync(1_001);
  expect((await catchError(cache.latest()))?.code).toBe('SOURCE_UNAVAILABLE');
});

test('a closed cache sends no requests', async () => {
  const { source, cache } = setUp();
  await cache.latest();
  source.respond = later(500);
  await vi.advanceTimersByTimeAsync(2_100);
  cache.close();
  const { requests } = source;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(source.requests).toBe(requests);
});
