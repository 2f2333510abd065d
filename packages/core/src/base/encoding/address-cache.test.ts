import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { seededBytes } from '../../../../../test/support/random/seeded-bytes.ts';
import { referenceEncode } from '../../../../../test/support/reference/reference-base58.ts';
import { decodeAddress } from './address-cache.ts';

const at = (key: Uint8Array) => decodeAddress(new DataView(key.buffer), 0);

test('keys with the same cache index decode correctly in any order', () => {
  const keys = Array.from({ length: 32 }, (_, i) => {
    const key = new Uint8Array(32).fill(7);
    // Only the first and the last word determine the index; these keys differ in between.
    key[4 + (i % 24)] = 100 + i;
    return key;
  });
  for (const key of [
    ...keys,
    ...keys,
    ...keys.toReversed(),
    ...keys.flatMap((key) => [key, key]),
  ]) {
    expect(at(key)).toBe(referenceEncode(key));
  }
});

test('keys that differ in one bit are different addresses', () => {
  const key = seededBytes(9, 32);
  for (let bit = 0; bit < 256; bit++) {
    const other = key.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    expect(at(key)).toBe(referenceEncode(key));
    expect(at(other)).toBe(referenceEncode(other));
  }
});

test('property: the result does not depend on earlier reads', () => {
  const pool = Array.from({ length: 40 }, (_, i) => seededBytes(i + 1, 40));
  const reads = fc.array(fc.tuple(fc.constantFrom(...pool), fc.nat(8)), { maxLength: 60 });
  assertProperty(
    fc.property(reads, (each) => {
      for (const [bytes, offset] of each) {
        const text = referenceEncode(bytes.slice(offset, offset + 32));
        expect(decodeAddress(new DataView(bytes.buffer), offset)).toBe(text);
      }
    }),
    30,
  );
});

test('changing the source bytes does not change the cached address', () => {
  const key = seededBytes(11, 32);
  const copy = key.slice();
  expect(at(key)).toBe(referenceEncode(copy));
  key.fill(3);
  expect(at(copy)).toBe(referenceEncode(copy));
  expect(at(key)).toBe(referenceEncode(key));
});
