import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { referenceEncode } from '../../../../../test/support/reference/reference-base58.ts';
import { encodeBase58Key } from './base58-key.ts';

const encode = (bytes: Uint8Array): string => encodeBase58Key(new DataView(bytes.buffer), 0);

test('encodes all zeros, all ones and each single bit', () => {
  expect(encode(new Uint8Array(32))).toBe('1'.repeat(32));
  const ones = new Uint8Array(32).fill(255);
  expect(encode(ones)).toBe(referenceEncode(ones));
  for (let bit = 0; bit < 256; bit++) {
    const single = new Uint8Array(32);
    single[bit >> 3] = 1 << (bit & 7);
    expect(encode(single)).toBe(referenceEncode(single));
  }
});

test('property: encodes any 32 bytes at any offset', () => {
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
  assertProperty(
    fc.property(keys, fc.nat(40), fc.nat(32), (key, offset, zeros) => {
      const bytes = key.map((byte, i) => (i < zeros ? 0 : byte));
      const room = new Uint8Array(offset + 32);
      room.set(bytes, offset);
      expect(encodeBase58Key(new DataView(room.buffer), offset)).toBe(referenceEncode(bytes));
    }),
    500,
  );
});
