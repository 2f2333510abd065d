import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { type Address, addressFromBytes } from '../base/encoding/address.ts';
import { PackedRecords } from './packed-records.ts';

const addressOf = (number: number): Address =>
  addressFromBytes(createHash('sha256').update(`${number}`).digest());

const operation = fc.record({
  address: fc.nat(40).map(addressOf),
  bytes: fc.option(fc.uint8Array({ minLength: 1, maxLength: 60 }), { nil: undefined }),
});

const sorted = (entries: Iterable<readonly [Address, Uint8Array]>) =>
  [...entries].map(([address, bytes]) => [address, [...bytes]]).sort();

test('property: records are those of a Map', () => {
  assertProperty(
    fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
      const records = new PackedRecords();
      const model = new Map<Address, Uint8Array>();
      for (const { address, bytes } of operations) {
        if (bytes === undefined) {
          records.delete(address);
          model.delete(address);
        } else {
          records.set(address, bytes);
          model.set(address, bytes);
        }
        expect(records.size).toBe(model.size);
      }
      expect(sorted(records.entries())).toEqual(sorted(model));
      for (const [address, bytes] of model) expect(records.get(address)).toEqual(bytes);
    }),
    100,
  );
});

test('a record of no or too many bytes is refused', () => {
  const records = new PackedRecords();
  expect(() => records.set(addressOf(0), new Uint8Array(0))).toThrow(RangeError);
  expect(() => records.set(addressOf(0), new Uint8Array(65_536))).toThrow(RangeError);
  expect(records.get(addressOf(0))).toBeUndefined();
});
