import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { ModelCounters } from '../../../../../test/support/limits/model-counters.ts';
import { assertAsyncProperty } from '../../../../../test/support/properties/assert-property.ts';
import type { LimitCounters } from './limit-counters.ts';
import type { RateLimitPolicy } from './rate-limit.ts';
import { SharedRateLimitStore } from './shared-limit-store.ts';

const START = 1_000_000_000_000;
const WINDOW_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

const policyOf = (quota: number): RateLimitPolicy => ({
  name: 'test',
  quota,
  windowSeconds: WINDOW_MS / 1000,
  field: '',
});

const storeOf = (counters: LimitCounters): SharedRateLimitStore =>
  new SharedRateLimitStore({ counters, clock: Date.now, log: silentLog });

/** Counts charges, and loses the connection on demand. */
function observedCounters() {
  const model = new ModelCounters();
  const state = { charges: 0, isAway: false, isSilent: false };
  const inner = model.connect(0, () => state.isAway);
  const counters: LimitCounters = {
    charge: (charge) => {
      state.charges += 1;
      return state.isSilent ? new Promise(() => undefined) : inner.charge(charge);
    },
  };
  return { state, counters };
}

/** Takes units, and lets a reply without latency arrive. */
async function take(store: SharedRateLimitStore, cost: number, policy: RateLimitPolicy) {
  const result = store.take('a', cost, policy);
  const isImmediate = !(result instanceof Promise);
  if (!isImmediate) await vi.advanceTimersByTimeAsync(0);
  return { ...(await result), isImmediate };
}

test('a small quota is shared to the unit', async () => {
  const { counters } = observedCounters();
  const stores = [storeOf(counters), storeOf(counters)];
  const policy = policyOf(10);
  const results = [];
  for (let i = 0; i < 12; i++) results.push(await take(stores[i % 2] as never, 1, policy));
  expect(results.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
  expect(results.map(({ allowed }) => allowed).slice(9)).toEqual([true, false, false]);
});

test('most calls of a frequent caller do not wait for the counters', async () => {
  const { counters, state } = observedCounters();
  const store = storeOf(counters);
  const waits = [];
  for (let i = 0; i < 500; i++) {
    const { isImmediate } = await take(store, 1, policyOf(600));
    if (!isImmediate) waits.push(i);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(waits).toEqual([0]);
  // ten reports per second, and more when the limit is near
  expect(state.charges).toBeLessThan(100);
});

test('calls over the limit are rejected without the counters, until units return', async () => {
  const { counters, state } = observedCounters();
  const store = storeOf(counters);
  const policy = policyOf(10);
  await take(store, 10, policy);
  const { charges } = state;
  const rejected = await take(store, 1, policy);
  expect(rejected).toMatchObject({ allowed: false, remaining: 0, isImmediate: true });
  for (let i = 0; i < 100; i++) await take(store, 1, policy);
  expect(state.charges).toBe(charges);
  await vi.advanceTimersByTimeAsync(rejected.resetSeconds * 1000);
  expect((await take(store, 1, policy)).allowed).toBe(true);
});

test('another process learns within a report what a first one has admitted', async () => {
  const { counters } = observedCounters();
  const [first, second] = [storeOf(counters), storeOf(counters)];
  const policy = policyOf(1600);
  for (let i = 0; i < 51; i++) await take(first, 1, policy);
  await vi.advanceTimersByTimeAsync(100);
  expect((await take(second, 1, policy)).remaining).toBe(1600 - 52);
});

test.each(['isAway', 'isSilent'] as const)(
  'while the counters %s each process has its own limit, and shares it afterwards',
  async (failure) => {
    const { counters, state } = observedCounters();
    const stores = [storeOf(counters), storeOf(counters)];
    const policy = policyOf(5);
    state[failure] = true;
    for (const store of stores) {
      const first = store.take('a', 1, policy);
      await vi.advanceTimersByTimeAsync(500);
      expect(await first).toMatchObject({ allowed: true, remaining: 4 });
      expect(store.isShared()).toBe(false);
      const allowed = [];
      for (let i = 0; i < 6; i++) allowed.push(await take(store, 1, policy));
      expect(allowed.map((result) => result.isImmediate)).toEqual(new Array(6).fill(true));
      expect(allowed.filter((result) => result.allowed)).toHaveLength(4);
    }
    state[failure] = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stores.map((store) => store.isShared())).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(62_000);
    const results = [];
    for (let i = 0; i < 8; i++) results.push(await take(stores[i % 2] as never, 1, policy));
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(5);
  },
);

test('counters that have lost everything do not return what a process has admitted', async () => {
  const counterSets = [new ModelCounters(), new ModelCounters()];
  let current = 0;
  const counters: LimitCounters = {
    charge: async (charge) => (counterSets[current] as ModelCounters).charge(charge, Date.now()),
  };
  const store = storeOf(counters);
  const policy = policyOf(10);
  for (let i = 0; i < 8; i++) await take(store, 1, policy);
  current = 1;
  const results = [];
  for (let i = 0; i < 4; i++) results.push((await take(store, 1, policy)).allowed);
  expect(results).toEqual([true, true, false, false]);
});

test('the last units are reported when the store is closed', async () => {
  const model = new ModelCounters();
  const counters: LimitCounters = { charge: async (charge) => model.charge(charge, Date.now()) };
  const store = storeOf(counters);
  for (let i = 0; i < 20; i++) await take(store, 1, policyOf(1600));
  await store.close();
  expect((await take(storeOf(counters), 1, policyOf(1600))).remaining).toBe(1600 - 21);
});

test('processes that have not learned of the limit exceed it by a sixteenth each', async () => {
  const { counters } = observedCounters();
  const stores = Array.from({ length: 4 }, () => storeOf(counters));
  const policy = policyOf(1600);
  for (const store of stores) await take(store, 1, policy);
  let admitted = 4;
  const [first, ...others] = stores as [SharedRateLimitStore, ...SharedRateLimitStore[]];
  expect(await take(first, 1500, policy)).toMatchObject({ allowed: true, remaining: 96 });
  admitted += 1500;
  const burst = others.flatMap((store) =>
    Array.from({ length: 300 }, () => store.take('a', 1, policy)),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  const results = await Promise.all(burst);
  admitted += results.filter(({ allowed }) => allowed).length;
  expect(admitted).toBeGreaterThan(1600);
  expect(admitted).toBeLessThanOrEqual(1600 + (4 * 1600) / 16);
  for (const store of others) expect((await take(store, 1, policy)).allowed).toBe(false);
});

const call = fc.record({
  process: fc.nat(3),
  pause: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 8_000 })),
  cost: fc.integer({ min: 1, max: 30 }),
});

test('property: processes exceed a quota by a sixteenth each at most, and a quiet caller gets it all', async () => {
  const run = fc.record({
    processes: fc.integer({ min: 1, max: 4 }),
    quota: fc.integer({ min: 30, max: 2_000 }),
    latency: fc.nat(80),
    calls: fc.array(call, { minLength: 50, maxLength: 200 }),
  });
  const property = fc.asyncProperty(run, async ({ processes, quota, latency, calls }) => {
    const model = new ModelCounters();
    const stores = Array.from({ length: processes }, () => storeOf(model.connect(latency)));
    const policy = policyOf(quota);
    const spent: { at: number; cost: number }[] = [];
    const waiting: Promise<void>[] = [];
    for (const { process, pause, cost } of calls) {
      await vi.advanceTimersByTimeAsync(pause);
      const store = stores[process % processes] as SharedRateLimitStore;
      const result = Promise.resolve(store.take('a', cost, policy));
      waiting.push(
        result.then(({ allowed, remaining }) => {
          if (allowed) spent.push({ at: Date.now(), cost });
          expect(remaining).toBeGreaterThanOrEqual(0);
        }),
      );
    }
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(waiting);
    // a call that waits is counted when the counters allow it, and is seen here one way later
    const slack = 2 * latency;
    for (const { at } of spent) {
      const window = spent.filter((other) => other.at > at - WINDOW_MS + slack && other.at <= at);
      const total = window.reduce((sum, { cost }) => sum + cost, 0);
      expect(total).toBeLessThanOrEqual(quota + (processes * quota) / 16);
    }
    await vi.advanceTimersByTimeAsync(WINDOW_MS + 4_000);
    const whole = (stores[0] as SharedRateLimitStore).take('a', quota, policy);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await whole).toMatchObject({ allowed: true, remaining: 0 });
  });
  await assertAsyncProperty(property, 60);
});
