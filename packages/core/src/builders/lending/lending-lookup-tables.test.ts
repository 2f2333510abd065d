import { expect, test } from 'vitest';
import {
  EXAMPLE_LOOKUP_TABLE,
  EXAMPLE_RESERVES,
  EXAMPLE_WALLET,
  exampleAddress,
  lookupTableAccount,
} from '../../../../../test/support/lending/example-lending.ts';
import {
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { toSlot } from '../../base/time.ts';
import { depositBuilder } from './deposit-builder.ts';
import { lendingLookupTables } from './lending-lookup-tables.ts';

const plain = reserveOfKind('plain');
const deposits = EXAMPLE_RESERVES.slice(0, 4).map((reserve) => ({ reserve, amount: 1n }));
const addresses = deposits.map(({ reserve }) => reserve.address);
const marketTable = exampleAddress('table of the market');
const ask = { of: plain, amount: 1n };

const withTable = (table = lookupTableAccount(addresses)) =>
  prepareLendingRequest('deposit', ask, {
    loan: { deposits },
    lookupTable: EXAMPLE_LOOKUP_TABLE,
    more: [[EXAMPLE_LOOKUP_TABLE, table]],
    tables: [{ address: marketTable, addresses: [plain.address] }],
  });

test('the table of the market comes before that of the wallet', () => {
  const { scene } = withTable();
  expect(lendingLookupTables(EXAMPLE_WALLET, { ...scene, marketTable })).toEqual([
    { address: marketTable, addresses: [plain.address] },
    { address: EXAMPLE_LOOKUP_TABLE, addresses },
  ]);
});

test('only the one that makes the transaction smaller is used', () => {
  const { request, scene } = withTable();
  const { tables } = depositBuilder.build(request, { ...scene, marketTable });
  expect(tables.map(({ address }) => address)).toEqual([EXAMPLE_LOOKUP_TABLE]);
});

test('a table that is being closed is not used', () => {
  const { request, scene } = withTable(lookupTableAccount(addresses, toSlot(5n)));
  expect(depositBuilder.build(request, scene).tables).toEqual([]);
});

test('what lies at its address and is no table is not used', () => {
  const { scene } = withTable({ ...lookupTableAccount(addresses), owner: EXAMPLE_WALLET });
  expect(lendingLookupTables(EXAMPLE_WALLET, scene)).toEqual([]);
});

test('a table of the market that state does not hold is not used', () => {
  const { scene } = prepareLendingRequest('deposit', ask);
  expect(
    lendingLookupTables(EXAMPLE_WALLET, { ...scene, marketTable: exampleAddress('gone') }),
  ).toEqual([]);
});
