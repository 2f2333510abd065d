import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { toSlot } from '../../base/time.ts';
import type { AddressLookupTable } from './layout/address-lookup-table.ts';
import { usableLookupAddresses } from './lookup-tables.ts';

const addresses = [1, 2, 3].map(numberedAddress);

/** Extended in slot 50 with its third address. */
const table: AddressLookupTable = {
  discriminator: 1,
  deactivationSlot: toSlot(2n ** 64n - 1n),
  lastExtendedSlot: toSlot(50n),
  lastExtendedSlotStartIndex: 2,
  authorityTag: 1,
  authority: numberedAddress(9),
  padding: 0,
  addresses,
};

test('an address is usable from the slot after its addition', () => {
  expect(usableLookupAddresses(table, toSlot(50n))).toEqual(addresses.slice(0, 2));
  expect(usableLookupAddresses(table, toSlot(51n))).toEqual(addresses);
});

test('a table extended in a later slot has only its older addresses', () => {
  expect(usableLookupAddresses(table, toSlot(49n))).toEqual(addresses.slice(0, 2));
});

test('a deactivated table has no usable addresses', () => {
  const leaving = { ...table, deactivationSlot: toSlot(60n) };
  expect(usableLookupAddresses(leaving, toSlot(60n))).toEqual([]);
  expect(usableLookupAddresses(leaving, toSlot(61n))).toEqual([]);
});
