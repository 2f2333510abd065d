import type { Address } from './address.ts';
import { BASE58_ALPHABET } from './base58.ts';

/** Where a letter stands without regard to case, by character code: digits, then the alphabet. */
const places = new Uint8Array(128);
for (const letter of BASE58_ALPHABET) {
  places[letter.charCodeAt(0)] = letter.toUpperCase().charCodeAt(0);
}

/**
 * The order in which `@solana/kit` writes keys into a message, that of English text: case decides only between
 * texts otherwise equal, and there the first lower-case letter goes first. Not the order of their bytes.
 */
export function compareAddresses(a: Address, b: Address): number {
  const length = Math.min(a.length, b.length);
  let byCase = 0;
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    const difference = (places[left] ?? 0) - (places[right] ?? 0);
    if (difference !== 0) return difference;
    // lower-case letters have the higher codes
    if (byCase === 0) byCase = right - left;
  }
  return a.length === b.length ? byCase : a.length - b.length;
}
