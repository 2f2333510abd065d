import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import {
  bytesEqual,
  bytesFromHex,
  bytesFromText,
  bytesToHex,
  bytesToText,
  concatBytes,
} from './bytes.ts';

const anyBytes = fc.uint8Array({ maxLength: 64 });

test('property: hex goes both ways as Node does it', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const text = Buffer.from(bytes).toString('hex');
      expect(bytesToHex(bytes)).toBe(text);
      expect(bytesFromHex(text)).toEqual(bytes);
    }),
  );
});

test('only pairs of lower-case hex digits are hex', () => {
  for (const text of ['a', 'abc', 'AB', 'aB', '0x00', ' 00', '00 ', '00\n', 'g0', '０0']) {
    expect(errorCode(() => bytesFromHex(text))).toBe('MALFORMED_DATA');
  }
});

test('the text of a fixed field ends at the first zero byte, or with the field', () => {
  expect(bytesToText(Uint8Array.of(85, 83, 68, 0, 0, 0))).toBe('USD');
  expect(bytesToText(Uint8Array.of(85, 83, 68, 0, 88, 0))).toBe('USD');
  expect(bytesToText(Uint8Array.of(85, 83, 68))).toBe('USD');
  expect(bytesToText(new Uint8Array(32))).toBe('');
});

test('what is not UTF-8 becomes the replacement character instead of an exception', () => {
  expect(bytesToText(Uint8Array.of(0x55, 0xff, 0x53))).toBe('U\ufffdS');
  expect(bytesToText(Uint8Array.of(0xe2, 0x82))).toBe('\ufffd');
});

test('text beyond ASCII is UTF-8 both ways', () => {
  expect(bytesFromText('é€')).toEqual(Uint8Array.of(0xc3, 0xa9, 0xe2, 0x82, 0xac));
  expect(bytesToText(Uint8Array.of(0xc3, 0xa9, 0xe2, 0x82, 0xac))).toBe('é€');
});

test('property: bytes are equal exactly when Node says so', () => {
  const few = fc.uint8Array({ maxLength: 3, max: 1 });
  fc.assert(
    fc.property(few, few, (a, b) => {
      expect(bytesEqual(a, b)).toBe(Buffer.from(a).equals(b));
    }),
  );
});

test('property: parts are put one behind the other, into bytes of their own', () => {
  fc.assert(
    fc.property(fc.array(anyBytes, { maxLength: 5 }), (parts) => {
      const whole = concatBytes(parts);
      expect(whole).toEqual(Uint8Array.from(Buffer.concat(parts)));
      whole.fill(1);
      expect(parts.flatMap((part) => [...part])).toEqual([...Buffer.concat(parts)]);
    }),
  );
});
