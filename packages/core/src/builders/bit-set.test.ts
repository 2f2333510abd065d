import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { bitSet, countWithout, hasBit, withoutBits } from './bit-set.ts';

const LENGTH = 70;
const numbers = fc.uniqueArray(fc.nat(LENGTH - 1));

test('property: a bit set equals its source set, also at word boundaries', () => {
  const all = Array.from({ length: LENGTH }, (_, number) => number);
  assertProperty(
    fc.property(numbers, numbers, (some, others) => {
      const [set, other] = [bitSet(some, LENGTH), bitSet(others, LENGTH)];
      const difference = some.filter((number) => !others.includes(number));
      expect(all.filter((number) => hasBit(set, number))).toEqual(some.sort((a, b) => a - b));
      expect(withoutBits(set, other)).toEqual(bitSet(difference, LENGTH));
      expect(countWithout(set, other)).toBe(difference.length);
    }),
    100,
    { examples: [[[0, 31, 32, 63, 64, 69], [31]]] },
  );
});

test('a full word counts as 32', () => {
  const word = Array.from({ length: 32 }, (_, number) => number);
  expect(countWithout(bitSet(word, 32), bitSet([], 32))).toBe(32);
});
