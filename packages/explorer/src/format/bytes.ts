const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The bytes of a base58 text; undefined if it has another character. */
export function decodeBase58(text: string): Uint8Array | undefined {
  /** Base 256, the lowest digit first. */
  const digits: number[] = [];
  for (const character of text) {
    let carry = ALPHABET.indexOf(character);
    if (carry === -1) return undefined;
    for (const [index, digit] of digits.entries()) {
      const value = digit * 58 + carry;
      digits[index] = value & 0xff;
      carry = value >> 8;
    }
    for (; carry > 0; carry >>= 8) digits.push(carry & 0xff);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...digits.reverse()]);
}

/** The base58 text of bytes. */
export function encodeBase58(bytes: Uint8Array): string {
  /** Base 58, the lowest digit first. */
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (const [index, digit] of digits.entries()) {
      const value = digit * 256 + carry;
      digits[index] = value % 58;
      carry = Math.floor(value / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = '1'.repeat(zeros === -1 ? bytes.length : zeros);
  return (
    leading +
    digits
      .reverse()
      .map((digit) => ALPHABET[digit])
      .join('')
  );
}

const CHUNK = 0x8000;

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text);
}

export const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
