import { BASE58_ALPHABET } from './base58.ts';

const CHAR_CODES = Uint8Array.from(BASE58_ALPHABET, (letter) => letter.charCodeAt(0));
const ONE_CHAR_CODE = 49;

/** A group is five base58 digits. Nine groups hold every key. */
const GROUP_VALUE = 58 ** 5;
const GROUPS = 9;
const WORDS = 16;
const KEY_BYTES = 32;

/**
 * The value that each 16-bit big-endian word adds to each group. The sum of 16 products of 16 and 30 bits is
 * exact in a double, so only the groups are divided by 58.
 */
const weights = new Float64Array(WORDS * GROUPS);
for (let word = 0; word < WORDS; word++) {
  let rest = 1n << BigInt(16 * (WORDS - 1 - word));
  for (let group = GROUPS - 1; group >= 0; group--, rest /= BigInt(GROUP_VALUE)) {
    weights[word * GROUPS + group] = Number(rest % BigInt(GROUP_VALUE));
  }
}

/** Scratch buffer: the digits of the key, padded with `1` at the start. */
const digits = new Uint8Array(GROUPS * 5);

/** Encodes the 32 bytes at `offset`. Same result as `encodeBase58` in a third of the time. */
export function encodeBase58Key(source: DataView, offset: number): string {
  writeDigits(source, offset);
  let start = 0;
  while (start < digits.length && digits[start] === ONE_CHAR_CODE) start++;
  let zeros = 0;
  while (zeros < KEY_BYTES && source.getUint8(offset + zeros) === 0) zeros++;
  const characters = digits.subarray(start - zeros);
  return Reflect.apply(String.fromCharCode, undefined, characters);
}

/** The sums are variables and not an array because that is faster. */
function writeDigits(source: DataView, offset: number): void {
  let [a, b, c, d, e, f, g, h, i] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let word = 0, at = 0; word < WORDS; word++, at += GROUPS) {
    const value = source.getUint16(offset + word * 2);
    a += value * (weights[at] ?? 0);
    b += value * (weights[at + 1] ?? 0);
    c += value * (weights[at + 2] ?? 0);
    d += value * (weights[at + 3] ?? 0);
    e += value * (weights[at + 4] ?? 0);
    f += value * (weights[at + 5] ?? 0);
    g += value * (weights[at + 6] ?? 0);
    h += value * (weights[at + 7] ?? 0);
    i += value * (weights[at + 8] ?? 0);
  }
  const carryH = writeGroup(35, h + writeGroup(40, i));
  const carryF = writeGroup(25, f + writeGroup(30, g + carryH));
  const carryD = writeGroup(15, d + writeGroup(20, e + carryF));
  const carryB = writeGroup(5, b + writeGroup(10, c + carryD));
  writeGroup(0, a + carryB);
}

/** Writes five digits and returns the carry for the previous group. */
function writeGroup(at: number, sum: number): number {
  const carry = Math.floor(sum / GROUP_VALUE);
  let rest = (sum - carry * GROUP_VALUE) | 0;
  for (let position = at + 4; position >= at; position--) {
    const quotient = (rest / 58) | 0;
    digits[position] = CHAR_CODES[rest - quotient * 58] ?? 0;
    rest = quotient;
  }
  return carry;
}
