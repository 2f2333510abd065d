import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { decodeBase64 } from './base64.ts';

const asBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

test('property: base64 of any bytes is decoded', () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(decodeBase64(asBase64(bytes))).toEqual(bytes);
    }),
    100,
  );
});

test('property: of all texts, only the base64 of some bytes is accepted', () => {
  const letters = fc.constantFrom(...'AQg/+=-_ \n9é');
  const text = fc.array(letters, { maxLength: 12 }).map((each) => each.join(''));
  assertProperty(
    fc.property(text, (given) => {
      const bytes = Buffer.from(given, 'base64');
      const isExact = asBase64(bytes) === given;
      expect(decodeBase64(given)).toEqual(isExact ? new Uint8Array(bytes) : undefined);
    }),
    2_000,
  );
});

test.each(['A', 'AA', 'AAA', 'A===', '====', 'AB==', 'AAB=', 'AA=A', 'AA==AAAA'])(
  '%s is not base64',
  (text) => expect(decodeBase64(text)).toBeUndefined(),
);
