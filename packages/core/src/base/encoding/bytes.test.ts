import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import {
  bytesEqual,
  bytesFromHex,
  bytesFromText,
  bytesToHex,
  bytesToText,
  concatBytes,
} from './bytes.ts';

const anyBytes = fc.uint8Array({ maxLength: 64 });

test('property: encodes and decodes hex like Node', () => {
  assertProperty(
    fc.property(anyBytes, (bytes) => {
      const text = Buffer.from(bytes).toString('hex');
      expect(bytesToHex(bytes)).toBe(text);
      expect(bytesFromHex(text)).toEqual(bytes);
    }),
    100,
  );
});

test('rejects everything but pairs of lower-case hex digits', () => {
  for (const text of ['a', 'abc', 'AB', 'aB', '0x00', ' 00', '00 ', '00\n', 'g0', '０0']) {
    expect(catchError(() => bytesFromHex(text))?.code).toBe('MALFORMED_DATA');
  }
});

test('text ends at the first zero byte or at the end of the field', () => {
  expect(bytesToText(Uint8Array.of(85, 83, 68, 0, 0, 0))).toBe('USD');
  expect(bytesToText(Uint8Array.of(85, 83, 68, 0, 88, 0))).toBe('USD');
  expect(bytesToText(Uint8Array.of(85, 83, 68))).toBe('USD');
  expect(bytesToText(new Uint8Array(32))).toBe('');
});

test('invalid UTF-8 becomes the replacement character', () => {
  expect(bytesToText(Uint8Array.of(0x55, 0xff, 0x53))).toBe('U\ufffdS');
  expect(bytesToText(Uint8Array.of(0xe2, 0x82))).toBe('\ufffd');
});

test('property: text of any length decodes like Node', () => {
  assertProperty(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
      expect(bytesToText(Uint8Array.from(Buffer.from(text)))).toBe(text);
    }),
    100,
  );
});

test('encodes and decodes text as UTF-8', () => {
  expect(bytesFromText('é€')).toEqual(Uint8Array.of(0xc3, 0xa9, 0xe2, 0x82, 0xac));
  expect(bytesToText(Uint8Array.of(0xc3, 0xa9, 0xe2, 0x82, 0xac))).toBe('é€');
});

test('property: compares bytes like Node', () => {
  const few = fc.uint8Array({ maxLength: 3, max: 1 });
  assertProperty(
    fc.property(few, few, (a, b) => {
      expect(bytesEqual(a, b)).toBe(Buffer.from(a).equals(b));
    }),
    100,
  );
});

test('property: concatenates parts into new bytes', () => {
  assertProperty(
    fc.property(fc.array(anyBytes, { maxLength: 5 }), (parts) => {
      const whole = concatBytes(parts);
      expect(whole).toEqual(Uint8Array.from(Buffer.concat(parts)));
      whole.fill(1);
      expect(parts.flatMap((part) => [...part])).toEqual([...Buffer.concat(parts)]);
    }),
    100,
  );
});
