import type { Address } from './address.ts';
import { encodeBase58Key } from './base58-key.ts';

const WORDS = 8;
/** A power of two. The cache takes about 100 KB. */
const ENTRIES = 2048;

/**
 * A direct-mapped cache of base58 texts. The same few hundred keys (reserves, mints, vaults, programs) are
 * decoded repeatedly, and encoding one costs many times as much as a cache hit. A new key evicts the key
 * with the same index, so the size is bounded.
 */
const texts: (Address | undefined)[] = new Array(ENTRIES).fill(undefined);
const words = new Uint32Array(ENTRIES * WORDS);

/** Decodes the address whose 32 bytes start at `offset`. */
export function decodeAddress(source: DataView, offset: number): Address {
  const first = source.getUint32(offset, true);
  const last = source.getUint32(offset + 28, true);
  const index = (first ^ (last * 31)) & (ENTRIES - 1);
  const cached = texts[index];
  if (cached !== undefined && isCachedAt(index, source, offset)) return cached;
  const text = encodeBase58Key(source, offset) as Address;
  for (let word = 0; word < WORDS; word++) {
    words[index * WORDS + word] = source.getUint32(offset + word * 4, true);
  }
  texts[index] = text;
  return text;
}

function isCachedAt(index: number, source: DataView, offset: number): boolean {
  const start = index * WORDS;
  for (let word = 0; word < WORDS; word++) {
    if (words[start + word] !== source.getUint32(offset + word * 4, true)) return false;
  }
  return true;
}
