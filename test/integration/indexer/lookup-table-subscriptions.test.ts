import { expect, test } from 'vitest';
import { type Address, addressToBytes, toAddress } from '#core/base/encoding/address.ts';
import { CodedError } from '#core/base/errors.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  type GoldenIndexer,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import type { FakeSource } from '../../support/fakes/fake-source.ts';

const MARKET_TABLE = toAddress('ArH8FrMZRnJFYSKmkzeCMTd2E3WT2GgSCVPRRckYjrS');
const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const VAULT_TABLE = toAddress('9WUMJijjCy3WD8TLM7JD95osg9gzzXoiRMceQZsE5s3a');
const OTHER_VAULT_TABLE = toAddress('bHwWG1zpd9caZRuufTQKNjzj5AozuKEno5zqqcBF1hy');
/** Of a wallet; nobody else names it. */
const USER_TABLE = toAddress('6nXD3KGTJjJFrJVLrZNqq2ACqb7rTApGzQ4PZALHk5v4');
const RESERVE = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');
const LOAN = toAddress('48C1Q3qbd1ieesAwQXFaC7aYfUzeDFtVGPbuW7uGxkSe');
const NOTHING = toAddress('11111111111111111111111111111111');
const NOBODY = toAddress('Vote111111111111111111111111111111111111111');

function accountOf(source: FakeSource, address: Address): ClusterAccount {
  const account = source.accountsNow.get(address);
  if (account === undefined) throw new Error(`no golden account ${address}`);
  return account;
}

/** The first addresses of a table. */
const cut = (table: ClusterAccount, addresses: number): ClusterAccount => ({
  ...table,
  data: table.data.slice(0, 56 + 32 * addresses),
});

/** The vault with another table. */
function naming(source: FakeSource, table: Address): [Address, ClusterAccount] {
  const vault = accountOf(source, VAULT);
  const data = vault.data.slice();
  data.set(addressToBytes(table), vaultState.offsets.vaultLookupTable);
  return [VAULT, { ...vault, data }];
}

async function started(lookupTables: readonly Address[] = [MARKET_TABLE]): Promise<GoldenIndexer> {
  const indexing = createGoldenIndexer({ lookupTables });
  await advanceSlotsWhile(indexing.source, indexing.indexer.start());
  indexing.source.step();
  return indexing;
}

const readings = ({ source }: GoldenIndexer): number =>
  source.requests.filter((request) => request === 'accounts').length;

const followedIn = ({ source }: GoldenIndexer): Address[] =>
  [...source.follows].flatMap(({ followed }) =>
    followed.kind === 'accounts' ? followed.addresses : [],
  );

const tablesIn = ({ state }: GoldenIndexer): Address[] =>
  state.lookupTables().map(({ address }) => address);

const lengthOf = ({ state }: GoldenIndexer, table: Address): number | undefined =>
  state.lookupTable(table)?.fields.addresses.length;

test('the tables of vaults and those that are asked for are there after the first load', async () => {
  const indexing = await started([MARKET_TABLE, NOTHING, NOBODY, MARKET_TABLE]);
  expect(tablesIn(indexing)).toEqual([VAULT_TABLE, MARKET_TABLE, OTHER_VAULT_TABLE]);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(49);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(23);
  expect(followedIn(indexing).sort()).toEqual([...tablesIn(indexing), NOBODY].sort());
  expect(readings(indexing)).toBe(1);
  indexing.indexer.stop();
  expect(indexing.source.follows.size).toBe(0);
});

test('the first load is not over before they are read', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  let isDown = true;
  source.failing = (request) => {
    if (request !== 'accounts' || !isDown) return;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'down' });
  };
  const start = indexer.start();
  await advanceSlotsUntil(
    source,
    () => source.requests.filter((one) => one === 'accounts').length > 3,
  );
  expect(indexer.status()).toMatchObject({ loading: true, ready: false });
  const { done, total } = indexer.status().progress;
  expect(done).toBe(total - 1);
  isDown = false;
  await advanceSlotsWhile(source, start);
  expect(state.lookupTables()).toHaveLength(2);
  expect(indexer.status().progress).toMatchObject({ done: total, total });
  indexer.stop();
});

test('a table that grows shows it with the slot in which it did', async () => {
  const indexing = await started();
  const { source, state, indexer } = indexing;
  const whole = accountOf(source, MARKET_TABLE);
  source.step([[MARKET_TABLE, cut(whole, 3)]]);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(3);
  const slot = (source.at.slot + 1n) as typeof source.at.slot;
  source.announce({ address: MARKET_TABLE, account: whole, slot });
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(3);
  source.step([[MARKET_TABLE, whole]]);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(49);
  expect(state.at().slot).toBe(slot);
  const late = (slot - 1n) as typeof slot;
  source.announce({ address: MARKET_TABLE, account: cut(whole, 3), slot: late });
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(49);
  indexer.stop();
});

test('a table that is closed is gone, and is there again when it is', async () => {
  const indexing = await started();
  const { source, indexer } = indexing;
  const table = accountOf(source, VAULT_TABLE);
  source.step([[VAULT_TABLE, undefined]]);
  expect(tablesIn(indexing)).toEqual([MARKET_TABLE, OTHER_VAULT_TABLE]);
  source.step([[VAULT_TABLE, table]]);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(23);
  indexer.stop();
});

test('after a gap tables are read again: one grew, one was closed, and until then the slot stands still', async () => {
  const indexing = await started();
  const { source, state, indexer } = indexing;
  const before = state.at().slot;
  source.failing = (request) => {
    if (request !== 'accounts') return;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'down' });
  };
  source.accountsNow.set(MARKET_TABLE, cut(accountOf(source, MARKET_TABLE), 3));
  source.accountsNow.delete(VAULT_TABLE);
  source.gap();
  const asked = source.requests.length;
  await advanceSlotsUntil(source, () => source.requests.slice(asked).includes('accounts'));
  expect(state.at().slot).toBe(before);
  source.failing = () => undefined;
  await advanceSlotsUntil(source, () => state.at().slot > before);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(3);
  expect(tablesIn(indexing)).toEqual([MARKET_TABLE, OTHER_VAULT_TABLE]);
  indexer.stop();
});

test('a vault that names another table brings that one in and its old one out', async () => {
  const indexing = await started();
  const { source, indexer } = indexing;
  const old = accountOf(source, VAULT_TABLE);
  source.step([naming(source, USER_TABLE)]);
  expect(tablesIn(indexing)).not.toContain(VAULT_TABLE);
  await advanceSlotsUntil(source, () => lengthOf(indexing, USER_TABLE) === 0);
  source.step([[VAULT_TABLE, cut(old, 3)]]);
  source.gap();
  await advanceSlotsUntil(source, () => !indexer.status().resyncing);
  expect(tablesIn(indexing)).toEqual([USER_TABLE, MARKET_TABLE, OTHER_VAULT_TABLE].sort());
  source.step([naming(source, VAULT_TABLE)]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, VAULT_TABLE) === 3);
  source.step([[VAULT_TABLE, old]]);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(23);
  expect(tablesIn(indexing)).not.toContain(USER_TABLE);
  indexer.stop();
});

test('a vault that changes in other ways makes no table be read again', async () => {
  const indexing = await started();
  const { source, state, indexer } = indexing;
  const { sharesIssued } = vaultState.offsets;
  for (const shares of [5n, 6n, 7n]) {
    source.step([[VAULT, withValueAt(accountOf(source, VAULT), sharesIssued, shares)]]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(state.vault(VAULT)?.fields.sharesIssued).toBe(7n);
  expect(readings(indexing)).toBe(1);
  expect(followedIn(indexing)).toHaveLength(3);
  indexer.stop();
});

test('a table that two name stays while one of them does', async () => {
  const indexing = await started([VAULT_TABLE]);
  const { source, indexer } = indexing;
  source.step([naming(source, NOTHING)]);
  source.step([[VAULT_TABLE, cut(accountOf(source, VAULT_TABLE), 3)]]);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(3);
  indexer.stop();
});

test('a vault that is closed takes its table with it, a new one brings its own', async () => {
  const indexing = await started();
  const { source, state, indexer } = indexing;
  const vault = accountOf(source, VAULT);
  source.step([[VAULT, undefined]]);
  source.gap();
  await advanceSlotsUntil(source, () => state.vault(VAULT) === undefined);
  expect(tablesIn(indexing)).toEqual([MARKET_TABLE, OTHER_VAULT_TABLE]);
  source.step([[VAULT, vault]]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, VAULT_TABLE) === 23);
  indexer.stop();
});

test('a vault that names what is no table changes nothing about it', async () => {
  const indexing = createGoldenIndexer({ mode: 'on-demand' });
  const { source, state, indexer } = indexing;
  await advanceSlotsWhile(source, indexer.start());
  const read = readings(indexing);
  source.step([naming(source, LOAN)]);
  await advanceSlotsUntil(source, () => readings(indexing) > read);
  source.step([[LOAN, accountOf(source, LOAN)]]);
  expect(state.obligation(LOAN)).toBeUndefined();
  source.step([naming(source, RESERVE)]);
  await advanceSlotsUntil(source, () => readings(indexing) > read + 1);
  source.step();
  source.announce({ address: RESERVE, account: undefined, slot: source.at.slot });
  expect(state.reserve(RESERVE)).toBeDefined();
  source.step([naming(source, VAULT_TABLE)]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, VAULT_TABLE) === 23);
  expect(state.reserve(RESERVE)).toBeDefined();
  indexer.stop();
});

test('where tables may not be followed there are none, everything else is, and it is asked for once', async () => {
  const { source, state, indexer } = createGoldenIndexer({ lookupTables: [MARKET_TABLE] });
  let asked = 0;
  source.failing = (request, scan) => {
    if (request !== 'follow' || scan !== undefined) return;
    asked++;
    throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'too many subscriptions' });
  };
  await advanceSlotsWhile(source, indexer.start());
  expect(state.lookupTables()).toEqual([]);
  expect(indexer.status()).toMatchObject({ ready: true, loading: false });
  source.step([[VAULT, accountOf(source, VAULT)]]);
  await new Promise((resolve) => setTimeout(resolve, 2));
  expect(state.vaults()).toHaveLength(2);
  expect(asked).toBe(1);
  indexer.stop();
});
