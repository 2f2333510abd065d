/** A set of small integers, one bit each. Sets used in one call have the same length. */
export type BitSet = Uint32Array;

/** `length`: the number of possible members, from 0. */
export function bitSet(numbers: Iterable<number>, length: number): BitSet {
  const set = new Uint32Array(Math.ceil(length / 32));
  for (const number of numbers) set[number >>> 5] = wordAt(set, number >>> 5) | bitOf(number);
  return set;
}

export function hasBit(set: BitSet, number: number): boolean {
  return (wordAt(set, number >>> 5) & bitOf(number)) !== 0;
}

export function withoutBits(set: BitSet, other: BitSet): BitSet {
  const rest = new Uint32Array(set.length);
  for (let i = 0; i < set.length; i++) rest[i] = wordAt(set, i) & ~wordAt(other, i);
  return rest;
}

/** Counts the members of `set` that are not in `other`. */
export function countWithout(set: BitSet, other: BitSet): number {
  let count = 0;
  for (let i = 0; i < set.length; i++) count += countOnes(wordAt(set, i) & ~wordAt(other, i));
  return count;
}

const bitOf = (number: number): number => 1 << (number & 31);

const wordAt = (set: BitSet, i: number): number => set[i] ?? 0;

/** Sums bits in pairs, then nibbles, then bytes. */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
