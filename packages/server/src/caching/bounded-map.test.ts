import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('the oldest entries are dropped beyond the limit', () => {
  const map = new BoundedMap<string, number>({ max: 2 });
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
});

test('a used entry and one that is set again are the newest', () => {
  const map = new BoundedMap<string, number>({ max: 3 });
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
  expect(map.use('a')).toBe(0);
  map.set('b', 4);
  expect(map.use('x')).toBeUndefined();
  expect([...map.keys()]).toEqual(['c', 'a', 'b']);
  map.set('d', 5);
  expect([...map.keys()]).toEqual(['a', 'b', 'd']);
  expect(map.size).toBe(3);
});

test('the limit is of the weights, and an entry that is too heavy is not kept', () => {
  const map = new BoundedMap<string, string>({ max: 10, weightOf: (value) => value.length });
  map.set('a', 'xxxx');
  map.set('b', 'xxxx');
  expect(map.weight).toBe(8);
  map.set('b', 'xxxxxx');
  expect(map.weight).toBe(10);
  map.set('c', 'x');
  expect([...map.keys()]).toEqual(['b', 'c']);
  map.delete('b');
  map.delete('b');
  expect(map.weight).toBe(1);
  map.set('d', 'xxxxxxxxxxx');
  expect([map.size, map.weight]).toEqual([0, 0]);
});
