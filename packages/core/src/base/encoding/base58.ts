import { CodedError } from '../errors.ts';

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Digits are processed in groups of four: 58^4 times a limb of 24 bits is exact in a double. */
const GROUP = 4;
const GROUP_VALUE = 58 ** GROUP;
const LIMB_VALUE = 2 ** 24;
const LIMB_BYTES = 3;

/**
 * The longest valid input is the data of an inner instruction, 10240 bytes. The cost is quadratic in the length:
 * a few milliseconds at this limit.
 */
const MAX_TEXT_LENGTH = 14_000;

/** Digit by character code. 255 marks a character outside the alphabet. */
const digitOf = new Uint8Array(128).fill(255);
for (let digit = 0; digit < 58; digit++) digitOf[BASE58_ALPHABET.charCodeAt(digit)] = digit;

/** The text of every pair of digits. A group takes two lookups instead of four divisions. */
const pairs: readonly string[] = Array.from({ length: 58 * 58 }, (_, value) =>
  BASE58_ALPHABET.charAt(Math.floor(value / 58)).concat(BASE58_ALPHABET.charAt(value % 58)),
);

export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const limbs = toLimbs(bytes, zeros);
  let text = '';
  for (let first = 0; first < limbs.length; ) {
    let remainder = 0;
    for (let i = first; i < limbs.length; i++) {
      const current = remainder * LIMB_VALUE + (limbs[i] ?? 0);
      const quotient = Math.floor(current / GROUP_VALUE);
      limbs[i] = quotient;
      remainder = current - quotient * GROUP_VALUE;
    }
    while (first < limbs.length && limbs[first] === 0) first++;
    const high = Math.floor(remainder / pairs.length);
    text = (pairs[high] ?? '') + (pairs[remainder - high * pairs.length] ?? '') + text;
  }
  let start = 0;
  while (start < text.length && text.charCodeAt(start) === 49) start++;
  return '1'.repeat(zeros) + text.slice(start);
}

/** Returns undefined for a character outside the alphabet and for text above the maximum length. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++;
  // log256(58) is a little below 0.7323
  const size = Math.ceil((text.length - zeros) * 0.7323);
  const limbs = new Uint32Array(Math.ceil(size / LIMB_BYTES));
  for (let at = zeros; at < text.length; ) {
    const end = Math.min(at + GROUP, text.length);
    let factor = 1;
    let carry = 0;
    for (; at < end; at++) {
      const digit = digitOf[text.charCodeAt(at)] ?? 255;
      if (digit === 255) return undefined;
      carry = carry * 58 + digit;
      factor *= 58;
    }
    for (let i = limbs.length - 1; i >= 0; i--) {
      const current = (limbs[i] ?? 0) * factor + carry;
      carry = Math.floor(current / LIMB_VALUE);
      limbs[i] = current - carry * LIMB_VALUE;
    }
  }
  return fromLimbs(limbs, zeros);
}

/** Decodes text that must be base58, such as a signature or instruction data. */
export function toBase58Bytes(text: string, what: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes === undefined)
    throw new CodedError('MALFORMED_DATA', { what, reason: 'it is not base58' });
  return bytes;
}

/** Big-endian limbs of the bytes that begin at `start`. */
function toLimbs(bytes: Uint8Array, start: number): Uint32Array {
  const count = Math.ceil((bytes.length - start) / LIMB_BYTES);
  const limbs = new Uint32Array(count);
  let end = bytes.length;
  for (let i = count - 1; i >= 0; i--, end -= LIMB_BYTES) {
    const low = bytes[end - 1] ?? 0;
    const middle = end - 2 >= start ? (bytes[end - 2] ?? 0) : 0;
    const high = end - 3 >= start ? (bytes[end - 3] ?? 0) : 0;
    limbs[i] = (high << 16) | (middle << 8) | low;
  }
  return limbs;
}

function fromLimbs(limbs: Uint32Array, zeros: number): Uint8Array {
  const digits = new Uint8Array(limbs.length * LIMB_BYTES);
  for (let i = 0; i < limbs.length; i++) {
    const limb = limbs[i] ?? 0;
    digits[i * 3] = limb >>> 16;
    digits[i * 3 + 1] = limb >>> 8;
    digits[i * 3 + 2] = limb;
  }
  let start = 0;
  while (start < digits.length && digits[start] === 0) start++;
  const bytes = new Uint8Array(zeros + digits.length - start);
  bytes.set(digits.subarray(start), zeros);
  return bytes;
}
