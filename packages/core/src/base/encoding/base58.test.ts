import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { seededBytes } from '../../../../../test/support/random/seeded-bytes.ts';
import {
  BASE58_ALPHABET,
  referenceDecode,
  referenceEncode,
} from '../../../../../test/support/reference/reference-base58.ts';
import { decodeBase58, encodeBase58, toBase58Bytes } from './base58.ts';
import { bytesFromHex, bytesFromText } from './bytes.ts';

test('encodes and decodes the published examples', () => {
  const examples: [Uint8Array, string][] = [
    [bytesFromText('Hello World!'), '2NEpo7TZRRrLZSi2U'],
    [
      bytesFromText('The quick brown fox jumps over the lazy dog.'),
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
    ],
    [bytesFromHex('0000287fb4cd'), '11233QC4'],
  ];
  for (const [bytes, text] of examples) {
    expect(encodeBase58(bytes)).toBe(text);
    expect(decodeBase58(text)).toEqual(bytes);
  }
});

test('round-trips every length from 0 to 80 with any leading byte', () => {
  for (let length = 0; length <= 80; length++) {
    const random = seededBytes(length + 1, length);
    const samples = [
      new Uint8Array(length),
      new Uint8Array(length).fill(255),
      random,
      random.map((byte, i) => (i < length / 2 ? 0 : byte)),
      random.map((byte, i) => (i === length - 1 ? 1 : byte & 0)),
    ];
    for (const bytes of samples) {
      const text = referenceEncode(bytes);
      expect(encodeBase58(bytes)).toBe(text);
      expect(decodeBase58(text)).toEqual(bytes);
    }
  }
});

test('property: encodes like the reference, with any number of leading zeros', () => {
  const zeros = fc.integer({ min: 0, max: 40 }).map((count) => new Uint8Array(count));
  assertProperty(
    fc.property(zeros, fc.uint8Array({ maxLength: 120 }), (start, rest) => {
      const bytes = Uint8Array.from([...start, ...rest]);
      const text = referenceEncode(bytes);
      expect(encodeBase58(bytes)).toBe(text);
      expect(decodeBase58(text)).toEqual(bytes);
    }),
    100,
  );
});

test('property: decodes any base58 text like the reference', () => {
  const letter = fc.constantFrom(...BASE58_ALPHABET);
  assertProperty(
    fc.property(fc.string({ unit: letter, maxLength: 120 }), (text) => {
      expect(decodeBase58(text)).toEqual(referenceDecode(text));
    }),
    100,
  );
});

test('encodes only the bytes of a view into a larger buffer', () => {
  const whole = seededBytes(7, 100);
  expect(encodeBase58(whole.subarray(30, 62))).toBe(referenceEncode(whole.slice(30, 62)));
});

test('rejects a character outside the alphabet at every position', () => {
  const outside = Array.from({ length: 300 }, (_, code) => String.fromCharCode(code))
    .concat('\uffff', '１', '😀')
    .filter((letter) => !BASE58_ALPHABET.includes(letter));
  expect(outside).toHaveLength(300 - 58 + 3);
  for (const letter of outside) {
    for (const text of [letter, `${letter}2`, `2${letter}`, `1111${letter}`, `zzzz${letter}zzz`]) {
      expect(decodeBase58(text)).toBeUndefined();
    }
  }
});

test('decodes text of the maximum length and rejects longer text', () => {
  for (const length of [4095, 4096, 14_000]) {
    const long = 'z'.repeat(length);
    expect(decodeBase58(long)).toEqual(referenceDecode(long));
  }
  expect(decodeBase58('z'.repeat(14_001))).toBeUndefined();
  expect(decodeBase58('z'.repeat(2_000_000))).toBeUndefined();
});

test('toBase58Bytes throws MALFORMED_DATA for invalid text', () => {
  expect(toBase58Bytes('11233QC4', 'signature')).toEqual(bytesFromHex('0000287fb4cd'));
  expect(catchError(() => toBase58Bytes('0', 'signature'))?.code).toBe('MALFORMED_DATA');
});
