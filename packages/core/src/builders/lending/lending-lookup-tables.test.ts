import { expect, test } from 'vitest';
import {
  MADE_RESERVES,
  MADE_TABLE,
  MADE_WALLET,
  madeAddress,
  madeTable,
} from '../../../../../test/support/lending/example-lending.ts';
import { asked, madeReserve } from '../../../../../test/support/lending/lending-requests.ts';
import { toSlot } from '../../base/time.ts';
import { lendDeposit } from './deposit-builder.ts';
import { lendingTables } from './lending-lookup-tables.ts';

const plain = madeReserve('plain');
const deposits = MADE_RESERVES.slice(0, 4).map((reserve) => ({ reserve, amount: 1n }));
const addresses = deposits.map(({ reserve }) => reserve.address);
const marketTable = madeAddress('table of the market');
const ask = { of: plain, amount: 1n };

const withTable = (table = madeTable(addresses)) =>
  asked('deposit', ask, {
    loan: { deposits },
    lookupTable: MADE_TABLE,
    more: [[MADE_TABLE, table]],
    tables: [{ address: marketTable, addresses: [plain.address] }],
  });

test('the table of the market comes before that of the wallet', () => {
  const { scene } = withTable();
  expect(lendingTables(MADE_WALLET, { ...scene, marketTable })).toEqual([
    { address: marketTable, addresses: [plain.address] },
    { address: MADE_TABLE, addresses },
  ]);
});

test('only the one that makes the transaction smaller is used', () => {
  const { request, scene } = withTable();
  const { tables } = lendDeposit.build(request, { ...scene, marketTable });
  expect(tables.map(({ address }) => address)).toEqual([MADE_TABLE]);
});

test('a table that is being closed is not used', () => {
  const { request, scene } = withTable(madeTable(addresses, toSlot(5n)));
  expect(lendDeposit.build(request, scene).tables).toEqual([]);
});

test('what lies at its address and is no table is not used', () => {
  const { scene } = withTable({ ...madeTable(addresses), owner: MADE_WALLET });
  expect(lendingTables(MADE_WALLET, scene)).toEqual([]);
});

test('a table of the market that state does not hold is not used', () => {
  const { scene } = asked('deposit', ask);
  expect(lendingTables(MADE_WALLET, { ...scene, marketTable: madeAddress('gone') })).toEqual([]);
});
