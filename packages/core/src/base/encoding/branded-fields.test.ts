import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { bsfFromBits } from '../numbers/big-scaled-fraction.ts';
import { sfFromBits } from '../numbers/scaled-fraction.ts';
import { bsf, lamports, sf, sf64, slot, unixSeconds } from './branded-fields.ts';
import type { Field } from './layout.ts';

const fields: Record<string, [Field<bigint>, number]> = {
  sf: [sf, 16],
  sf64: [sf64, 8],
  bsf: [bsf, 32],
  lamports: [lamports, 8],
  slot: [slot, 8],
  unixSeconds: [unixSeconds, 8],
};

test('property: branded fields encode and decode like their plain field', () => {
  for (const [field, size] of Object.values(fields)) {
    expect(field.size).toBe(size);
    assertProperty(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (data) => {
        const plain = BigInt(`0x${Buffer.from(data).reverse().toString('hex')}`);
        const value = field.decode(new DataView(data.buffer), 0);
        expect(value).toBe(plain);
        expect(field.view(new DataView(data.buffer), 0)).toBe(plain);
        const target = new Uint8Array(size);
        field.encode(new DataView(target.buffer), 0, value);
        expect(target).toEqual(data);
      }),
      100,
    );
  }
});

test('a fraction above 64 bits does not fit in sf64', () => {
  const target = new DataView(new ArrayBuffer(32));
  expect(catchError(() => sf64.encode(target, 0, sfFromBits(2n ** 64n)))?.code).toBe(
    'MALFORMED_DATA',
  );
  expect(
    catchError(() => sf64.encode(target, 0, sfFromBits(2n ** 64n - 1n)))?.code,
  ).toBeUndefined();
  expect(
    catchError(() => bsf.encode(target, 0, bsfFromBits(2n ** 256n - 1n)))?.code,
  ).toBeUndefined();
});
