import type { Address } from './address.ts';
import { BASE58_ALPHABET } from './base58.ts';

/** The case-insensitive sort key of each base58 character, by character code. */
const sortKeys = new Uint8Array(128);
for (const letter of BASE58_ALPHABET) {
  sortKeys[letter.charCodeAt(0)] = letter.toUpperCase().charCodeAt(0);
}

/**
 * The order in which `@solana/kit` sorts keys of a message. It is the collation of English text, not byte order:
 * case matters only for texts that are otherwise equal, and then lower case comes first.
 */
export function compareAddresses(a: Address, b: Address): number {
  const length = Math.min(a.length, b.length);
  let byCase = 0;
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    const difference = (sortKeys[left] ?? 0) - (sortKeys[right] ?? 0);
    if (difference !== 0) return difference;
    // lower-case letters have higher codes
    if (byCase === 0) byCase = right - left;
  }
  return a.length === b.length ? byCase : a.length - b.length;
}
