import type { Address } from './address.ts';
import { encodeBase58Key } from './base58-key.ts';

const WORDS = 8;
/** A power of two; about 100 KB. */
const PLACES = 2048;

/**
 * The text of addresses seen lately. The same few hundred keys (reserves, mints, vaults, programs) are
 * read again and again, and their base58 costs many times as much as finding it here. Each key has one
 * place, taken over by the next one that falls on it, so that the size is bounded.
 */
const texts: (Address | undefined)[] = new Array(PLACES).fill(undefined);
const words = new Uint32Array(PLACES * WORDS);

/** The address whose 32 bytes start at `offset`. */
export function decodeAddress(source: DataView, offset: number): Address {
  const first = source.getUint32(offset, true);
  const last = source.getUint32(offset + 28, true);
  const place = (first ^ (last * 31)) & (PLACES - 1);
  const known = texts[place];
  if (known !== undefined && isAt(place, source, offset)) return known;
  const text = encodeBase58Key(source, offset) as Address;
  for (let word = 0; word < WORDS; word++) {
    words[place * WORDS + word] = source.getUint32(offset + word * 4, true);
  }
  texts[place] = text;
  return text;
}

function isAt(place: number, source: DataView, offset: number): boolean {
  const start = place * WORDS;
  for (let word = 0; word < WORDS; word++) {
    if (words[start + word] !== source.getUint32(offset + word * 4, true)) return false;
  }
  return true;
}
