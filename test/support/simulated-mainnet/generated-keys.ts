import { ADDRESS_BYTES } from '#core/base/encoding/address.ts';

const WORDS = ADDRESS_BYTES / 4;
/** Odd, so that it has an inverse modulo 2^32. */
const MULTIPLIER = 0x9e37_79b1;
const INVERSE = inverseOfOdd(MULTIPLIER);

/**
 * The key with this number: its first word is a mixed form of the number, from which the others follow. `kind` separates
 * addresses from wallets.
 */
export function generatedKey(kind: number, number: number): Uint8Array {
  const key = new Uint8Array(ADDRESS_BYTES);
  const view = new DataView(key.buffer);
  let word = Math.imul(number + 1, MULTIPLIER);
  view.setInt32(0, word, true);
  for (let i = 1; i < WORDS; i++) {
    word = Math.imul(word ^ (word >>> 15) ^ (kind << 8) ^ i, 0x85eb_ca6b);
    view.setInt32(i * 4, word, true);
  }
  return key;
}

/** The number of a generated key; undefined if it is none of this kind. */
export function numberOfKey(kind: number, key: Uint8Array): number | undefined {
  const word = new DataView(key.buffer, key.byteOffset, ADDRESS_BYTES).getInt32(0, true);
  const number = (Math.imul(word, INVERSE) >>> 0) - 1;
  const isSame = generatedKey(kind, number).every((byte, i) => byte === key[i]);
  return number >= 0 && isSame ? number : undefined;
}

/** Each step doubles the number of correct low bits. */
function inverseOfOdd(value: number): number {
  let inverse = value;
  for (let step = 0; step < 5; step++) {
    inverse = Math.imul(inverse, 2 - Math.imul(value, inverse));
  }
  return inverse;
}
