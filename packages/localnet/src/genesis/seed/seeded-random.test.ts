import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { createSeededRandom } from './seeded-random.ts';

test('property: a number is within its bounds, both inclusive', () => {
  assertProperty(
    fc.property(fc.string(), fc.bigInt(0n, 1000n), (seed, min) => {
      const random = createSeededRandom(seed);
      const drawn = new Set(Array.from({ length: 60 }, () => random.between(min, min + 2n)));
      expect([...drawn].toSorted()).toEqual([min, min + 1n, min + 2n].toSorted());
    }),
    20,
    { seed: 1 },
  );
});

test('the same seed gives the same numbers, another seed gives others', () => {
  const drawn = (seed: string): bigint[] => {
    const random = createSeededRandom(seed);
    return Array.from({ length: 8 }, () => random.between(0n, 1n << 40n));
  };
  expect(drawn('a')).toEqual(drawn('a'));
  expect(drawn('a')).not.toEqual(drawn('b'));
});
