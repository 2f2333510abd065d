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
const marketLookupTable = exampleAddress('table of the market');
const overrides = { of: plain, amount: 1n };

const withTable = (table = lookupTableAccount(addresses)) =>
  prepareLendingRequest('deposit', overrides, {
    loan: { deposits },
    lookupTable: EXAMPLE_LOOKUP_TABLE,
    more: [[EXAMPLE_LOOKUP_TABLE, table]],
    tables: [{ address: marketLookupTable, addresses: [plain.address] }],
  });

test("the market's table comes before the wallet's", () => {
  const { context } = withTable();
  expect(lendingLookupTables(EXAMPLE_WALLET, { ...context, marketLookupTable })).toEqual([
    { address: marketLookupTable, addresses: [plain.address] },
    { address: EXAMPLE_LOOKUP_TABLE, addresses },
  ]);
});

test('only the table that shortens the transaction is used', () => {
  const { request, context } = withTable();
  const { lookupTables } = depositBuilder.build(request, { ...context, marketLookupTable });
  expect(lookupTables.map(({ address }) => address)).toEqual([EXAMPLE_LOOKUP_TABLE]);
});

const NO_TABLE_NOTE =
  'The transaction uses no lookup table, because none is known that shortens it.';

test('the plan says if no lookup table is used because none is known', () => {
  const { request, context } = prepareLendingRequest('deposit', overrides);
  expect(depositBuilder.build(request, context).plan.notes).toContain(NO_TABLE_NOTE);
  const known = withTable();
  const { plan } = depositBuilder.build(known.request, known.context);
  expect(plan.notes).not.toContain(NO_TABLE_NOTE);
});

test('the plan says if no known lookup table shortens the transaction', () => {
  const { request, context } = prepareLendingRequest('deposit', overrides, {
    tables: [{ address: marketLookupTable, addresses: [plain.address] }],
  });
  const { lookupTables, plan } = depositBuilder.build(request, { ...context, marketLookupTable });
  expect(lookupTables).toEqual([]);
  expect(plan.notes).toContain(NO_TABLE_NOTE);
});

test('a deactivated table is not used', () => {
  const { request, context } = withTable(lookupTableAccount(addresses, toSlot(5n)));
  const { lookupTables, plan } = depositBuilder.build(request, context);
  expect(lookupTables).toEqual([]);
  expect(plan.notes).toContain(NO_TABLE_NOTE);
});

test('an account that is not a table is not used', () => {
  const { context } = withTable({ ...lookupTableAccount(addresses), owner: EXAMPLE_WALLET });
  expect(lendingLookupTables(EXAMPLE_WALLET, context)).toEqual([]);
});

test("a market's table that is not in the state is not used", () => {
  const { context } = prepareLendingRequest('deposit', overrides);
  expect(
    lendingLookupTables(EXAMPLE_WALLET, { ...context, marketLookupTable: exampleAddress('gone') }),
  ).toEqual([]);
});
