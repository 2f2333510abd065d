import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster, readGolden } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';

type GoldenNames = {
  markets: {
    address: Address;
    lookupTable: Address;
    reserves: Record<string, { address: Address }>;
  }[];
  vaults: { address: Address; lut: Address; sharesMint: Address }[];
};

const clusterFile = readGolden('cluster.json') as GoldenNames;
const { accounts } = goldenCluster();
const MARKET_TABLE = goldenMarket('Main Market').lookupTable;
const RESERVE = goldenReserve('Main Market', 'SOL').address;

function goldenAccount(address: Address): RawAccount {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`no golden account ${address}`);
  return account;
}

function stateWith(...addresses: Address[]): ClusterState {
  const state = new ClusterState({ log: silentLog });
  const slot = toSlot(5n);
  for (const address of addresses) state.apply({ address, account: goldenAccount(address), slot });
  return state;
}

test('the golden tables are stored with the accounts of their markets and vaults', () => {
  const tables = [
    ...clusterFile.markets.map((m) => m.lookupTable),
    ...clusterFile.vaults.map((v) => v.lut),
  ];
  const state = stateWith(...tables);
  expect(state.lookupTables().map(({ address }) => address)).toEqual(tables.sort());
  for (const { address, lookupTable, reserves } of clusterFile.markets) {
    const stored = state.lookupTable(lookupTable);
    const parts = [address, ...Object.values(reserves).map((reserve) => reserve.address)];
    expect(stored?.fields.addresses).toEqual(expect.arrayContaining(parts));
    expect(stored?.program).toBe(ADDRESS_LOOKUP_TABLE_PROGRAM);
  }
  for (const { address, lut, sharesMint } of clusterFile.vaults) {
    const stored = state.lookupTable(lut)?.fields.addresses;
    expect(stored).toEqual(expect.arrayContaining([address, sharesMint]));
  }
});

test('the newest update of a table wins, also a deletion', () => {
  const state = stateWith(MARKET_TABLE);
  const { owner, data } = goldenAccount(MARKET_TABLE);
  const shorter = { owner, data: data.slice(0, 56 + 2 * 32) };
  const put = (account: RawAccount | undefined, slot: bigint) =>
    state.apply({ address: MARKET_TABLE, account, slot: toSlot(slot), onlyKind: 'lookupTable' });
  put(shorter, 4n);
  expect(state.lookupTable(MARKET_TABLE)?.fields.addresses).toHaveLength((data.length - 56) / 32);
  put(shorter, 6n);
  expect(state.lookupTable(MARKET_TABLE)?.fields.addresses).toHaveLength(2);
  put(undefined, 7n);
  put(shorter, 6n);
  expect(state.lookupTable(MARKET_TABLE)).toBeUndefined();
  expect(state.lookupTables()).toEqual([]);
});

test('an undecodable table is counted and not stored', () => {
  const state = stateWith();
  const { owner, data } = goldenAccount(MARKET_TABLE);
  const truncated = { owner, data: data.slice(0, -1) };
  state.apply({
    address: MARKET_TABLE,
    account: truncated,
    slot: toSlot(6n),
    onlyKind: 'lookupTable',
  });
  expect(state.lookupTable(MARKET_TABLE)).toBeUndefined();
  expect(state.statistics().unreadable).toBe(1);
});

test('an account subscribed as a table but of another kind does not change the state', () => {
  const state = stateWith(RESERVE);
  const applyAsTable = (address: Address, account: RawAccount | undefined) =>
    state.apply({ address, account, slot: toSlot(9n), onlyKind: 'lookupTable' });
  const other = goldenReserve('Main Market', 'USDC').address;
  expect(applyAsTable(other, goldenAccount(other))).toBe(false);
  expect(state.reserve(other)).toBeUndefined();
  expect(applyAsTable(RESERVE, undefined)).toBe(false);
  expect(applyAsTable(RESERVE, { owner: SYSTEM_PROGRAM, data: new Uint8Array() })).toBe(false);
  expect(state.reserve(RESERVE)).toBeDefined();
  state.apply({ address: other, account: goldenAccount(other), slot: toSlot(8n) });
  expect(state.reserve(other)).toBeDefined();
});

test('forgetting some tables keeps the others', () => {
  const [forgotten, remaining] = clusterFile.vaults.map(({ lut }) => lut);
  if (forgotten === undefined || remaining === undefined) throw new Error('too few golden vaults');
  const state = stateWith(forgotten, remaining);
  const program = ADDRESS_LOOKUP_TABLE_PROGRAM;
  state.forget('lookupTable', { program, addresses: new Set([forgotten]) });
  expect(state.lookupTables().map(({ address }) => address)).toEqual([remaining]);
  const before = { address: forgotten, account: goldenAccount(forgotten), slot: toSlot(1n) };
  expect(state.apply({ ...before, onlyKind: 'lookupTable' })).toBe(true);
});
