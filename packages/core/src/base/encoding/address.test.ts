import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { referenceEncode } from '../../../../../test/support/reference/reference-base58.ts';
import {
  addressFromBytes,
  addressToBytes,
  parseAddress,
  toAddress,
  ZERO_ADDRESS,
} from './address.ts';

test('accepts well-known addresses', () => {
  for (const text of [
    '11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG',
  ]) {
    expect(parseAddress(text)).toBe(text);
  }
});

test('rejects text of a valid length that does not decode to 32 bytes', () => {
  expect(parseAddress('1111111111111111111111111111111')).toBeUndefined();
  expect(parseAddress('111111111111111111111111111111111')).toBeUndefined();
  expect(parseAddress('z'.repeat(44))).toBeUndefined();
  expect(parseAddress('z'.repeat(32))).toBeUndefined();
});

test('rejects characters outside the alphabet', () => {
  for (const letter of ['0', 'O', 'I', 'l', ' ', 'é', '\0']) {
    expect(parseAddress(`So1111111111111111111111111111111111111111${letter}`)).toBeUndefined();
  }
});

test('property: accepts the base58 text of 32 bytes and of no other length', () => {
  assertProperty(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 40 }), (bytes) => {
      const text = referenceEncode(bytes);
      expect(parseAddress(text)).toBe(bytes.length === 32 ? text : undefined);
    }),
    100,
  );
  assertProperty(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const text = referenceEncode(bytes);
      expect(parseAddress(text)).toBe(text);
    }),
    100,
  );
});

test('toAddress throws an error that contains the invalid text', () => {
  expect(toAddress('So11111111111111111111111111111111111111112')).toBe(
    'So11111111111111111111111111111111111111112',
  );
  expect(catchError(() => toAddress('So1'))?.code).toBe('INVALID_ADDRESS');
  expect(() => toAddress('So1')).toThrow('"So1"');
});

test('property: addresses and bytes convert both ways', () => {
  assertProperty(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const address = addressFromBytes(bytes);
      expect(address).toBe(referenceEncode(bytes));
      expect(addressToBytes(address)).toEqual(bytes);
    }),
    100,
  );
});

test('addressFromBytes throws unless it gets 32 bytes', () => {
  for (const length of [0, 31, 33, 64]) {
    expect(catchError(() => addressFromBytes(new Uint8Array(length)))?.code).toBe('MALFORMED_DATA');
  }
});

test('the zero address has 32 zero bytes', () => {
  expect(addressToBytes(ZERO_ADDRESS)).toEqual(new Uint8Array(32));
  expect(addressFromBytes(new Uint8Array(32))).toBe(ZERO_ADDRESS);
});
