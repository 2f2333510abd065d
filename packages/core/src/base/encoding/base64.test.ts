import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { bytesFromText } from './bytes.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

test('encodes and decodes the examples of RFC 4648', () => {
  const examples: [string, string][] = [
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ];
  for (const [plain, text] of examples) {
    expect(encodeBase64(bytesFromText(plain))).toBe(text);
    expect(decodeBase64(text)).toEqual(bytesFromText(plain));
  }
});

test('property: encodes like Node and round-trips any bytes', () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      expect(encodeBase64(bytes)).toBe(text);
      expect(decodeBase64(text)).toEqual(bytes);
    }),
    100,
  );
});

test('property: accepts exactly the canonical text', () => {
  const letter = fc.constantFrom(...ALPHABET, '=', '=', '=', '-', '_', ' ', '\n', 'é');
  const groups = fc.array(fc.string({ unit: letter, minLength: 4, maxLength: 4 }), {
    maxLength: 3,
  });
  assertProperty(
    fc.property(
      fc.oneof(
        groups.map((each) => each.join('')),
        fc.string({ unit: letter }),
      ),
      (text) => {
        const canonical = Buffer.from(text, 'base64').toString('base64') === text;
        expect(catchError(() => decodeBase64(text))?.code).toBe(
          canonical ? undefined : 'MALFORMED_DATA',
        );
      },
    ),
    1000,
  );
});

test('rejects every character outside the alphabet at every position', () => {
  for (let code = 0; code < 300; code++) {
    const letter = String.fromCharCode(code);
    if (ALPHABET.includes(letter)) continue;
    for (const text of [`${letter}AAA`, `A${letter}AA`, `AA${letter}A`, `AAAA${letter}AAA`]) {
      expect(catchError(() => decodeBase64(text))?.code).toBe('MALFORMED_DATA');
    }
  }
});

test('rejects missing, excess and misplaced padding', () => {
  for (const text of [
    'AA',
    'AAA',
    'AA=',
    'AAAAA',
    'A===',
    '====',
    '=',
    'AA=A',
    '=AAA',
    'AA==AAAA',
  ]) {
    expect(catchError(() => decodeBase64(text))?.code).toBe('MALFORMED_DATA');
  }
});

test('rejects spare bits that are not zero', () => {
  expect(decodeBase64('AA==')).toEqual(Uint8Array.of(0));
  expect(decodeBase64('AAA=')).toEqual(Uint8Array.of(0, 0));
  for (const text of ['AB==', 'AP==', 'AAB=', 'AAD=']) {
    expect(catchError(() => decodeBase64(text))?.code).toBe('MALFORMED_DATA');
  }
});
