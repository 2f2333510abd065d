import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSmallestCover } from './set-cover.ts';

const sets = (...texts: string[]): Set<string>[] => texts.map((text) => new Set(text));

function unionOf(some: Iterable<ReadonlySet<string>>): string {
  return [...new Set([...some].flatMap((set) => [...set]))].sort().join('');
}

/** Tries every choice of sets there is. */
function fewestByTryingAll(all: readonly ReadonlySet<string>[]): number {
  const choices = Array.from({ length: 2 ** all.length }, (_, bits) =>
    all.filter((_set, place) => (bits >> place) % 2 === 1),
  );
  const covers = choices.filter((choice) => unionOf(choice) === unionOf(all));
  return Math.min(...covers.map(({ length }) => length));
}

test.each([
  ['nothing', [], []],
  ['nothing in nothing', ['', ''], []],
  ['one set', ['', 'ab'], [1]],
  ['a set within another', ['a', 'abc', 'bc'], [1]],
  ['the first of equal sets', ['x', 'ab', 'ba', 'x'], [0, 1]],
  ['two, where taking the largest first would need three', ['bcde', 'abc', 'def'], [1, 2]],
  ['a set for what nobody else has, though it is small', ['abcd', 'cdef', 'z'], [0, 1, 2]],
])('a smallest cover of %s', (_, texts, places) => {
  expect(findSmallestCover(sets(...texts))).toEqual(places);
});

const someSets = (size: { maxLength: number }) =>
  fc.array(
    fc.uniqueArray(fc.constantFrom(...'abcdefghijkl')).map((items) => new Set(items)),
    size,
  );

test('property: it covers all, with no more sets than trying all choices needs', () => {
  fc.assert(
    fc.property(someSets({ maxLength: 8 }), (all) => {
      const places = findSmallestCover(all);
      expect(unionOf(places.map((place) => all[place] ?? new Set()))).toBe(unionOf(all));
      expect(places).toHaveLength(fewestByTryingAll(all));
    }),
    { numRuns: 300 },
  );
});

test('property: without a single try it is still a cover, in which no set is there twice', () => {
  fc.assert(
    fc.property(someSets({ maxLength: 30 }), (all) => {
      const places = findSmallestCover(all, 0);
      expect(unionOf(places.map((place) => all[place] ?? new Set()))).toBe(unionOf(all));
      expect(new Set(places).size).toBe(places.length);
    }),
  );
  expect(findSmallestCover(sets('bcde', 'abc', 'def'), 0)).toEqual([0, 1, 2]);
});

test('property: copies of sets are never taken, nor do they use up tries', () => {
  fc.assert(
    fc.property(someSets({ maxLength: 20 }), fc.nat(20), (all, tries) => {
      expect(findSmallestCover([...all, ...all, ...all], tries)).toEqual(
        findSmallestCover(all, tries),
      );
    }),
    { numRuns: 500 },
  );
});

test('hundreds of sets that overlap crosswise come to an end', () => {
  // All pairs of 100 items that are some steps apart: the smallest cover is 50 pairs, and there are very many.
  const pairs = [1, 2, 3, 5, 7].flatMap((step) =>
    Array.from({ length: 100 }, (_, item) => new Set([item, (item + step) % 100])),
  );
  const places = findSmallestCover(pairs);
  expect(new Set(places.flatMap((place) => [...(pairs[place] ?? [])])).size).toBe(100);
  expect(places.length).toBeLessThan(70);
});
