import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryRateLimitStore } from './memory-limit-store.ts';
import type { RateLimitPolicy } from './rate-limit.ts';

const policy: RateLimitPolicy = { name: 'test', quota: 10, windowSeconds: 60, field: '' };

function storeAt(start: number, maxCallers?: number) {
  const time = { now: start };
  return { time, store: new MemoryRateLimitStore(() => time.now, maxCallers) };
}

test('exactly the quota is let through, and the rest is told when to come back', () => {
  const { time, store } = storeAt(1_000_000_000_123);
  const verdicts = Array.from({ length: 12 }, () => store.take('a', 1, policy));
  expect(verdicts.map((verdict) => verdict.allowed)).toEqual([
    ...new Array(10).fill(true),
    false,
    false,
  ]);
  expect(verdicts.map((verdict) => verdict.remaining)).toEqual([
    9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0,
  ]);
  const wait = verdicts.at(-1)?.resetSeconds ?? 0;
  time.now += wait * 1000;
  expect(store.take('a', 1, policy).allowed).toBe(true);
});

test('what was spent stays spent for a whole window', () => {
  const { time, store } = storeAt(1_000_000_000_000);
  for (let count = 0; count < 10; count += 1) store.take('a', 1, policy);
  time.now += 59_999;
  expect(store.take('a', 1, policy).allowed).toBe(false);
});

test('it comes back gradually, as it was spent', () => {
  const { time, store } = storeAt(1_000_000_000_000);
  for (let count = 0; count < 10; count += 1) {
    store.take('a', 1, policy);
    time.now += 6_000;
  }
  time.now += 2_000;
  expect(store.take('a', 1, policy).allowed).toBe(true);
  expect(store.take('a', 1, policy).allowed).toBe(false);
});

test('callers are counted apart, and a call costs its weight', () => {
  const { store } = storeAt(1_000_000_000_000);
  expect(store.take('a', 7, policy)).toMatchObject({ allowed: true, remaining: 3 });
  expect(store.take('a', 4, policy)).toMatchObject({ allowed: false, remaining: 3 });
  expect(store.take('a', 3, policy)).toMatchObject({ allowed: true, remaining: 0 });
  expect(store.take('b', 1, policy)).toMatchObject({ allowed: true, remaining: 9 });
});

test('a call that costs more than the quota takes all of it', () => {
  const { store } = storeAt(1_000_000_000_000);
  expect(store.take('a', 50, policy)).toMatchObject({ allowed: true, remaining: 0 });
  expect(store.take('a', 50, policy)).toMatchObject({ allowed: false });
});

test('a clock that goes back gives nothing back', () => {
  const { time, store } = storeAt(1_000_000_000_000);
  for (let count = 0; count < 10; count += 1) store.take('a', 1, policy);
  time.now -= 3_600_000;
  expect(store.take('a', 1, policy).allowed).toBe(false);
});

test('callers are forgotten when there are too many, idle ones first', () => {
  const { time, store } = storeAt(1_000_000_000_000, 3);
  store.take('idle', 1, policy);
  time.now += 200_000;
  for (const caller of ['busy', 'b', 'c', 'd']) store.take(caller, 10, policy);
  expect(store.callers).toBe(3);
  expect(store.take('d', 1, policy).allowed).toBe(false);
});

test('property: in no window is more spent than the quota, and a refused caller may return when told', () => {
  const call = fc.record({
    pause: fc.integer({ min: 0, max: 30_000 }),
    cost: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.nat(1e9), fc.array(call, { maxLength: 200 }), (start, calls) => {
      const { time, store } = storeAt(1_000_000_000_000 + start);
      const spent: { at: number; cost: number }[] = [];
      for (const { pause, cost } of calls) {
        time.now += pause;
        const verdict = store.take('a', cost, policy);
        if (verdict.allowed) spent.push({ at: time.now, cost });
        else if (pause % 3 === 0) {
          time.now += verdict.resetSeconds * 1000;
          expect(store.take('a', cost, policy).allowed).toBe(true);
          spent.push({ at: time.now, cost });
        }
      }
      for (const { at } of spent) {
        const window = spent.filter((other) => other.at > at - 60_000 && other.at <= at);
        expect(window.reduce((sum, other) => sum + other.cost, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});
