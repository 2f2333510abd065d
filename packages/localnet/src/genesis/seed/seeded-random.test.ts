import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeededRandom } from './seeded-random.ts';

test('property: a throw is within its ends, both of which occur', () => {
  fc.assert(
    fc.property(fc.string(), fc.bigInt(0n, 1000n), (seed, least) => {
      const dice = createSeededRandom(seed);
      const thrown = new Set(Array.from({ length: 60 }, () => dice.between(least, least + 2n)));
      expect([...thrown].toSorted()).toEqual([least, least + 1n, least + 2n].toSorted());
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('the same seed throws the same, another seed does not', () => {
  const thrown = (seed: string): bigint[] => {
    const dice = createSeededRandom(seed);
    return Array.from({ length: 8 }, () => dice.between(0n, 1n << 40n));
  };
  expect(thrown('a')).toEqual(thrown('a'));
  expect(thrown('a')).not.toEqual(thrown('b'));
});
