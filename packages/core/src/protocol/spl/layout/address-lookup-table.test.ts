import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { addressToBytes } from '../../../base/encoding/address.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { addressLookupTable } from './address-lookup-table.ts';

const owner = ADDRESS_LOOKUP_TABLE_PROGRAM;

/** An active, frozen table that was extended in slot 5 from index 1. */
function tableOf(...numbers: number[]): Uint8Array {
  const data = new Uint8Array(56 + 32 * numbers.length);
  data[0] = 1;
  data.fill(0xff, 4, 12);
  data.set([5, 0, 0, 0, 0, 0, 0, 0, 1], 12);
  numbers.forEach((number, i) => {
    data.set(addressToBytes(numberedAddress(number)), 56 + 32 * i);
  });
  return data;
}

test('decodes the addresses in order', () => {
  const account = { owner, data: tableOf(3, 4) };
  const value = addressLookupTable.decode(account);
  expect(value).toMatchObject({
    deactivationSlot: U64_MAX,
    lastExtendedSlot: 5n,
    lastExtendedSlotStartIndex: 1,
    authorityTag: 0,
    addresses: [numberedAddress(3), numberedAddress(4)],
  });
  expect(addressLookupTable.encode(value)).toEqual(account.data);
  expect(addressLookupTable.view(account).addresses.at(1)).toBe(numberedAddress(4));
  expect(addressLookupTable.view(account).addresses.at(2)).toBeUndefined();
});

test('decodes an empty table', () => {
  expect(addressLookupTable.decode({ owner, data: tableOf() }).addresses).toEqual([]);
});

test.each([
  ['another owner', { owner: TOKEN_PROGRAM, data: tableOf() }, 'ACCOUNT_WRONG_OWNER'],
  ['a truncated header', { owner, data: tableOf().subarray(1) }, 'ACCOUNT_WRONG_SIZE'],
  ['half an address', { owner, data: new Uint8Array(72).with(0, 1) }, 'ACCOUNT_WRONG_SIZE'],
  ['257 addresses', { owner, data: new Uint8Array(56 + 257 * 32) }, 'ACCOUNT_WRONG_SIZE'],
  ['another account type', { owner, data: tableOf().with(0, 2) }, 'ACCOUNT_WRONG_DISCRIMINATOR'],
  ['an authority tag of 2', { owner, data: tableOf().with(21, 2) }, 'MALFORMED_DATA'],
])('a table with %s throws', (_, account, code) => {
  expect(catchError(() => addressLookupTable.decode(account))?.code).toBe(code);
});

test('decodes the maximum of 256 addresses', () => {
  const data = new Uint8Array(56 + 256 * 32).with(0, 1);
  expect(addressLookupTable.matches({ owner, data })).toBe(true);
  expect(addressLookupTable.decode({ owner, data }).addresses).toHaveLength(256);
});
