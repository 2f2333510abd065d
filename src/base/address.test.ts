import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from './address.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Textbook base58, the slow way, to have an expected value that is not made by the code under test. */
function encode(bytes: Uint8Array): string {
  let value = BigInt(`0x00${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

test('well-known addresses are addresses', () => {
  for (const text of [
    '11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG',
  ]) {
    expect(parseAddress(text)).toBe(text);
  }
});

test('text of the right length that is not 32 bytes is refused', () => {
  expect(parseAddress('1111111111111111111111111111111')).toBeUndefined();
  expect(parseAddress('111111111111111111111111111111111')).toBeUndefined();
  expect(parseAddress('z'.repeat(44))).toBeUndefined();
  expect(parseAddress('z'.repeat(32))).toBeUndefined();
});

test('letters outside the alphabet are refused', () => {
  for (const letter of ['0', 'O', 'I', 'l', ' ', 'é', '\0']) {
    expect(parseAddress(`So1111111111111111111111111111111111111111${letter}`)).toBeUndefined();
  }
});

test('property: the text of any 32 bytes is an address, of any other number of bytes is not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 40 }), (bytes) => {
      const text = encode(bytes);
      expect(parseAddress(text)).toBe(bytes.length === 32 ? text : undefined);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const text = encode(bytes);
      expect(parseAddress(text)).toBe(text);
    }),
  );
});
