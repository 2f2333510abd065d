import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { findSmallestCover } from './set-cover.ts';

const sets = (...texts: string[]): Set<string>[] => texts.map((text) => new Set(text));

function unionOf(some: Iterable<ReadonlySet<string>>): string {
  return [...new Set([...some].flatMap((set) => [...set]))].sort().join('');
}

/** Tries every combination of sets. */
function smallestByBruteForce(all: readonly ReadonlySet<string>[]): number {
  const combinations = Array.from({ length: 2 ** all.length }, (_, bits) =>
    all.filter((_set, index) => (bits >> index) % 2 === 1),
  );
  const covers = combinations.filter((combination) => unionOf(combination) === unionOf(all));
  return Math.min(...covers.map(({ length }) => length));
}

test.each([
  ['nothing', [], []],
  ['empty sets', ['', ''], []],
  ['one set', ['', 'ab'], [1]],
  ['a set within another', ['a', 'abc', 'bc'], [1]],
  ['the first of equal sets', ['x', 'ab', 'ba', 'x'], [0, 1]],
  ['two sets, where a greedy choice needs three', ['bcde', 'abc', 'def'], [1, 2]],
  ['a small set with a unique item', ['abcd', 'cdef', 'z'], [0, 1, 2]],
])('the smallest cover of %s', (_, texts, indexes) => {
  expect(findSmallestCover(sets(...texts))).toEqual(indexes);
});

const someSets = (size: { maxLength: number }) =>
  fc.array(
    fc.uniqueArray(fc.constantFrom(...'abcdefghijkl')).map((items) => new Set(items)),
    size,
  );

test('property: the result covers everything with the fewest sets', () => {
  assertProperty(
    fc.property(someSets({ maxLength: 8 }), (all) => {
      const indexes = findSmallestCover(all);
      expect(unionOf(indexes.map((index) => all[index] ?? new Set()))).toBe(unionOf(all));
      expect(indexes).toHaveLength(smallestByBruteForce(all));
    }),
    300,
  );
});

test('property: without any attempts the result is still a cover without duplicates', () => {
  assertProperty(
    fc.property(someSets({ maxLength: 30 }), (all) => {
      const indexes = findSmallestCover(all, 0);
      expect(unionOf(indexes.map((index) => all[index] ?? new Set()))).toBe(unionOf(all));
      expect(new Set(indexes).size).toBe(indexes.length);
    }),
    100,
  );
  expect(findSmallestCover(sets('bcde', 'abc', 'def'), 0)).toEqual([0, 1, 2]);
});

test('property: duplicate sets are neither selected nor use up attempts', () => {
  assertProperty(
    fc.property(someSets({ maxLength: 20 }), fc.nat(20), (all, attempts) => {
      expect(findSmallestCover([...all, ...all, ...all], attempts)).toEqual(
        findSmallestCover(all, attempts),
      );
    }),
    500,
  );
});

test('hundreds of overlapping sets terminate', () => {
  // All pairs of 100 items at certain distances: the smallest cover has 50 pairs, and there are
  // many.
  const pairs = [1, 2, 3, 5, 7].flatMap((step) =>
    Array.from({ length: 100 }, (_, item) => new Set([item, (item + step) % 100])),
  );
  const indexes = findSmallestCover(pairs);
  expect(new Set(indexes.flatMap((index) => [...(pairs[index] ?? [])])).size).toBe(100);
  expect(indexes.length).toBeLessThan(70);
});
