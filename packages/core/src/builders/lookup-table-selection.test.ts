import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { toSlot } from '../base/time.ts';
import { selectLookupTables } from './lookup-table-selection.ts';

/** Tables numbered from 100, with numbered addresses. The last address was added in slot 50. */
function tablesOf(...contents: number[][]) {
  return contents.map((numbers, i) => ({
    address: numberedAddress(100 + i),
    fields: {
      discriminator: 1,
      deactivationSlot: toSlot(2n ** 64n - 1n),
      lastExtendedSlot: toSlot(50n),
      lastExtendedSlotStartIndex: numbers.length - 1,
      authorityTag: 0,
      authority: numberedAddress(9),
      padding: 0,
      addresses: numbers.map(numberedAddress),
    },
  }));
}

const later = toSlot(51n);
const addressesOf = (...numbers: number[]) => numbers.map(numberedAddress);

test('selects the fewest tables, in the given order', () => {
  const tables = tablesOf([2, 3, 4, 5], [4, 5, 6], [1, 2, 3], [7]);
  const [, second, third, fourth] = tables;
  expect(
    selectLookupTables(tables, { addresses: addressesOf(6, 5, 4, 3, 2, 1), slot: later }),
  ).toEqual([second, third]);
  expect(selectLookupTables(tables, { addresses: addressesOf(7, 8, 7), slot: later })).toEqual([
    fourth,
  ]);
  expect(selectLookupTables(tables, { addresses: addressesOf(8), slot: later })).toEqual([]);
  expect(selectLookupTables([], { addresses: addressesOf(8), slot: later })).toEqual([]);
});

test('an address that is usable only after the slot is taken from another table', () => {
  const tables = tablesOf([1, 2], [2, 3]);
  expect(selectLookupTables(tables, { addresses: addressesOf(2), slot: later })).toEqual([
    tables[0],
  ]);
  expect(selectLookupTables(tables, { addresses: addressesOf(2), slot: toSlot(50n) })).toEqual([
    tables[1],
  ]);
});

test('other addresses of a table do not affect its rank', () => {
  const tables = tablesOf([1, 2, 11, 12, 13, 14], [1, 2, 3]);
  expect(selectLookupTables(tables, { addresses: addressesOf(1, 2, 3), slot: later })).toEqual([
    tables[1],
  ]);
});
