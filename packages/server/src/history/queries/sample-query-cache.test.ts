import { expect, test } from 'vitest';
import { invalidateSampleQueries, SampleQueryCache } from './sample-query-cache.ts';

/** Returns 1, 2, 3, … */
function counter() {
  let count = 0;
  return async () => {
    count += 1;
    return count;
  };
}

test('a query runs once, also if two requests start at the same time', async () => {
  const cache = new SampleQueryCache({}, () => 0);
  const read = counter();
  expect(await Promise.all([cache.get('a', read), cache.get('a', read)])).toEqual([1, 1]);
  expect(await cache.get('a', read)).toBe(1);
  expect(await cache.get('b', read)).toBe(2);
});

test('it runs again after a write through the same connection', async () => {
  const [db, other] = [{}, {}];
  const cache = new SampleQueryCache(db, () => 0);
  const read = counter();
  await cache.get('a', read);
  invalidateSampleQueries(other);
  expect(await cache.get('a', read)).toBe(1);
  invalidateSampleQueries(db);
  expect(await cache.get('a', read)).toBe(2);
});

test('a query that began before a write is not a result of after it', async () => {
  const db = {};
  const cache = new SampleQueryCache(db, () => 0);
  let finish = (_value: string): void => undefined;
  const slow = cache.get('a', () => new Promise<string>((resolve) => (finish = resolve)));
  invalidateSampleQueries(db);
  const after = cache.get('a', async () => 'after');
  finish('before');
  expect(await slow).toBe('before');
  expect(await after).toBe('after');
  expect(await cache.get('a', async () => 'again')).toBe('after');
});

test('it runs again after ten seconds', async () => {
  let now = 5_000;
  const cache = new SampleQueryCache({}, () => now);
  const read = counter();
  await cache.get('a', read);
  now = 14_999;
  expect(await cache.get('a', read)).toBe(1);
  now = 15_000;
  expect(await cache.get('a', read)).toBe(2);
});

test('a failed query runs again', async () => {
  const cache = new SampleQueryCache({}, () => 0);
  const fail = () => Promise.reject(new Error('no database'));
  await expect(cache.get('a', fail)).rejects.toThrow('no database');
  expect(await cache.get('a', async () => 'a')).toBe('a');
});

test('the number of results is bounded', async () => {
  const cache = new SampleQueryCache({}, () => 0);
  const read = counter();
  for (let key = 0; key < 2_000; key += 1) await cache.get(`${key}`, read);
  expect(await cache.get('0', read)).toBe(2_001);
});
