import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { MemoryRateLimitStore } from './memory-limit-store.ts';
import type { RateLimitPolicy } from './rate-limit.ts';

const policy: RateLimitPolicy = { name: 'test', quota: 10, windowSeconds: 60, field: '' };

function storeAt(start: number, maxCallers?: number) {
  const time = { now: start };
  return { time, store: new MemoryRateLimitStore(() => time.now, maxCallers) };
}

test('exactly the quota is allowed; a rejected call gets the time to retry', () => {
  const { time, store } = storeAt(1_000_000_000_123);
  const results = Array.from({ length: 12 }, () => store.take('a', 1, policy));
  expect(results.map((result) => result.allowed)).toEqual([
    ...new Array(10).fill(true),
    false,
    false,
  ]);
  expect(results.map((result) => result.remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
  const wait = results.at(-1)?.resetSeconds ?? 0;
  time.now += wait * 1000;
  expect(store.take('a', 1, policy).allowed).toBe(true);
});

test('units are not returned before the window ends', () => {
  const { time, store } = storeAt(1_000_000_000_000);
  for (let count = 0; count < 10; count += 1) store.take('a', 1, policy);
  time.now += 59_999;
  expect(store.take('a', 1, policy).allowed).toBe(false);
});

test.each([0, 1, 999, 1_000, 1_999])(
  'a quota that is spent at once returns after the window, %i ms into a slice',
  (offset) => {
    const { time, store } = storeAt(1_000_000_000_000 + offset);
    store.take('a', 10, policy);
    expect(store.take('a', 1, policy)).toMatchObject({ allowed: false, resetSeconds: 60 });
    time.now += 59_999;
    expect(store.take('a', 1, policy)).toMatchObject({ allowed: false, resetSeconds: 1 });
    time.now += 1;
    expect(store.take('a', 10, policy).allowed).toBe(true);
  },
);

test('units return gradually, in the order of spending', () => {
  const { time, store } = storeAt(1_000_000_000_000);
  for (let count = 0; count < 10; count += 1) {
    store.take('a', 1, policy);
    time.now += 6_000;
  }
  time.now += 2_000;
  expect(store.take('a', 1, policy).allowed).toBe(true);
  expect(store.take('a', 1, policy).allowed).toBe(false);
});

test('callers have separate quotas, and a call costs its weight', () => {
  const { store } = storeAt(1_000_000_000_000);
  expect(store.take('a', 7, policy)).toMatchObject({ allowed: true, remaining: 3 });
  expect(store.take('a', 4, policy)).toMatchObject({ allowed: false, remaining: 3 });
  expect(store.take('a', 3, policy)).toMatchObject({ allowed: true, remaining: 0 });
  expect(store.take('b', 1, policy)).toMatchObject({ allowed: true, remaining: 9 });
});

test('a call that costs more than the quota uses all of it', () => {
  const { store } = storeAt(1_000_000_000_000);
  expect(store.take('a', 50, policy)).toMatchObject({ allowed: true, remaining: 0 });
  expect(store.take('a', 50, policy)).toMatchObject({ allowed: false });
});

test('a clock that goes backwards returns no units', () => {
  const { time, store } = storeAt(1_000_000_000_000);
  for (let count = 0; count < 10; count += 1) store.take('a', 1, policy);
  time.now -= 3_600_000;
  expect(store.take('a', 1, policy).allowed).toBe(false);
});

test('idle callers are evicted first', () => {
  const { time, store } = storeAt(1_000_000_000_000, 3);
  store.take('idle', 1, policy);
  time.now += 200_000;
  for (const caller of ['busy', 'b', 'c', 'd']) store.take(caller, 10, policy);
  expect(store.callers).toBe(3);
  expect(store.take('d', 1, policy).allowed).toBe(false);
});

test('property: no window exceeds the quota, and a rejected call succeeds after the reported time', () => {
  const call = fc.record({
    pause: fc.integer({ min: 0, max: 30_000 }),
    cost: fc.integer({ min: 1, max: 5 }),
  });
  assertProperty(
    fc.property(fc.nat(1e9), fc.array(call, { maxLength: 200 }), (start, calls) => {
      const { time, store } = storeAt(1_000_000_000_000 + start);
      const spent: { at: number; cost: number }[] = [];
      for (const { pause, cost } of calls) {
        time.now += pause;
        const result = store.take('a', cost, policy);
        expect(result.resetSeconds).toBeLessThanOrEqual(60);
        if (result.allowed) spent.push({ at: time.now, cost });
        else if (pause % 3 === 0) {
          time.now += result.resetSeconds * 1000;
          expect(store.take('a', cost, policy).allowed).toBe(true);
          spent.push({ at: time.now, cost });
        }
      }
      for (const { at } of spent) {
        const window = spent.filter((other) => other.at > at - 60_000 && other.at <= at);
        expect(window.reduce((sum, other) => sum + other.cost, 0)).toBeLessThanOrEqual(10);
      }
    }),
    100,
  );
});
