import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { combineCrc32 } from './combine-crc32.ts';

test('property: the checksum of two texts in a row', () => {
  const bytes = fc.uint8Array({ maxLength: 5_000 });
  assertProperty(
    fc.property(bytes, bytes, (first, second) => {
      const combined = combineCrc32(crc32(first), crc32(second), second.length);
      expect(combined).toBe(crc32(Buffer.concat([first, second])));
    }),
    100,
  );
});

test('a second text of several megabytes', () => {
  const second = Buffer.alloc(5_000_001, 'abc');
  const whole = Buffer.concat([Buffer.from('first'), second]);
  expect(combineCrc32(crc32('first'), crc32(second), second.length)).toBe(crc32(whole));
});
