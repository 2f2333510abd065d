import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { referenceEncode } from '../../../../../test/support/reference/reference-base58.ts';
import {
  addressFromBytes,
  addressToBytes,
  parseAddress,
  toAddress,
  ZERO_ADDRESS,
} from './address.ts';

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
      const text = referenceEncode(bytes);
      expect(parseAddress(text)).toBe(bytes.length === 32 ? text : undefined);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const text = referenceEncode(bytes);
      expect(parseAddress(text)).toBe(text);
    }),
  );
});

test('text that must be an address and is not is refused with its text', () => {
  expect(toAddress('So11111111111111111111111111111111111111112')).toBe(
    'So11111111111111111111111111111111111111112',
  );
  expect(errorCode(() => toAddress('So1'))).toBe('INVALID_ADDRESS');
  expect(() => toAddress('So1')).toThrow('"So1"');
});

test('property: 32 bytes are an address and the address is those bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const address = addressFromBytes(bytes);
      expect(address).toBe(referenceEncode(bytes));
      expect(addressToBytes(address)).toEqual(bytes);
    }),
  );
});

test('an address is not made of any other number of bytes', () => {
  for (const length of [0, 31, 33, 64]) {
    expect(errorCode(() => addressFromBytes(new Uint8Array(length)))).toBe('MALFORMED_DATA');
  }
});

test('the zero address is 32 zero bytes', () => {
  expect(addressToBytes(ZERO_ADDRESS)).toEqual(new Uint8Array(32));
  expect(addressFromBytes(new Uint8Array(32))).toBe(ZERO_ADDRESS);
});
