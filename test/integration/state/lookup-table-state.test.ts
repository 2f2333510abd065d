import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster, readGolden } from '../../support/golden/golden.ts';

type Names = {
  markets: {
    address: Address;
    lookupTable: Address;
    reserves: Record<string, { address: Address }>;
  }[];
  vaults: { address: Address; lut: Address; sharesMint: Address }[];
};

const names = readGolden('cluster.json') as Names;
const { accounts } = goldenCluster();
const MARKET_TABLE = toAddress('ArH8FrMZRnJFYSKmkzeCMTd2E3WT2GgSCVPRRckYjrS');
const RESERVE = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');

function golden(address: Address): RawAccount {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`no golden account ${address}`);
  return account;
}

function stateWith(...addresses: Address[]): ClusterState {
  const state = new ClusterState({ log: silentLog });
  const slot = toSlot(5n);
  for (const address of addresses) state.apply({ address, account: golden(address), slot });
  return state;
}

test('the golden tables are in state with what the markets and vaults are made of', () => {
  const tables = [...names.markets.map((m) => m.lookupTable), ...names.vaults.map((v) => v.lut)];
  const state = stateWith(...tables);
  expect(state.lookupTables().map(({ address }) => address)).toEqual(tables.sort());
  for (const { address, lookupTable, reserves } of names.markets) {
    const held = state.lookupTable(lookupTable);
    const parts = [address, ...Object.values(reserves).map((reserve) => reserve.address)];
    expect(held?.fields.addresses).toEqual(expect.arrayContaining(parts));
    expect(held?.program).toBe(ADDRESS_LOOKUP_TABLE_PROGRAM);
  }
  for (const { address, lut, sharesMint } of names.vaults) {
    const held = state.lookupTable(lut)?.fields.addresses;
    expect(held).toEqual(expect.arrayContaining([address, sharesMint]));
  }
});

test('of a table the newest state counts, also that it is gone', () => {
  const state = stateWith(MARKET_TABLE);
  const { owner, data } = golden(MARKET_TABLE);
  const shorter = { owner, data: data.slice(0, 56 + 2 * 32) };
  const put = (account: RawAccount | undefined, slot: bigint) =>
    state.apply({ address: MARKET_TABLE, account, slot: toSlot(slot), onlyKind: 'lookupTable' });
  put(shorter, 4n);
  expect(state.lookupTable(MARKET_TABLE)?.fields.addresses).toHaveLength(49);
  put(shorter, 6n);
  expect(state.lookupTable(MARKET_TABLE)?.fields.addresses).toHaveLength(2);
  put(undefined, 7n);
  put(shorter, 6n);
  expect(state.lookupTable(MARKET_TABLE)).toBeUndefined();
  expect(state.lookupTables()).toEqual([]);
});

test('a table that cannot be read is counted and left out', () => {
  const state = stateWith();
  const { owner, data } = golden(MARKET_TABLE);
  const cut = { owner, data: data.slice(0, -1) };
  state.apply({ address: MARKET_TABLE, account: cut, slot: toSlot(6n), onlyKind: 'lookupTable' });
  expect(state.lookupTable(MARKET_TABLE)).toBeUndefined();
  expect(state.statistics().unreadable).toBe(1);
});

test('who is followed as a table and is something else neither enters state nor leaves it', () => {
  const state = stateWith(RESERVE);
  const follow = (address: Address, account: RawAccount | undefined) =>
    state.apply({ address, account, slot: toSlot(9n), onlyKind: 'lookupTable' });
  const other = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
  expect(follow(other, golden(other))).toBe(false);
  expect(state.reserve(other)).toBeUndefined();
  expect(follow(RESERVE, undefined)).toBe(false);
  expect(follow(RESERVE, { owner: SYSTEM_PROGRAM, data: new Uint8Array() })).toBe(false);
  expect(state.reserve(RESERVE)).toBeDefined();
  state.apply({ address: other, account: golden(other), slot: toSlot(8n) });
  expect(state.reserve(other)).toBeDefined();
});

test('forgetting some tables leaves the others', () => {
  const [gone, kept] = names.vaults.map(({ lut }) => lut);
  if (gone === undefined || kept === undefined) throw new Error('too few golden vaults');
  const state = stateWith(gone, kept);
  const program = ADDRESS_LOOKUP_TABLE_PROGRAM;
  state.forget('lookupTable', { program, addresses: new Set([gone]) });
  expect(state.lookupTables().map(({ address }) => address)).toEqual([kept]);
  const before = { address: gone, account: golden(gone), slot: toSlot(1n) };
  expect(state.apply({ ...before, onlyKind: 'lookupTable' })).toBe(true);
});
