import { expect, test } from 'vitest';
import { type Address, addressToBytes, toAddress } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { CodedError } from '#server/errors.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  type GoldenIndexer,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import type { FakeSource } from '../../support/fakes/fake-source.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenTableLength,
  goldenUserTable,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';

const MARKET_TABLE = goldenMarket('Main Market').lookupTable;
const VAULT = goldenVault('Steady USDC').address;
const VAULT_TABLE = goldenVault('Steady USDC').lut;
const OTHER_VAULT_TABLE = goldenVault('SOL Earn').lut;
/** Belongs to a wallet; no vault uses it. */
const USER_TABLE = goldenUserTable('alice');
const RESERVE = goldenReserve('Main Market', 'SOL').address;
const LOAN = goldenLoan('frank');
const ZERO_TABLE = toAddress('11111111111111111111111111111111');
const MISSING_TABLE = toAddress('Vote111111111111111111111111111111111111111');

function accountOf(source: FakeSource, address: Address): ClusterAccount {
  const account = source.accounts.get(address);
  if (account === undefined) throw new Error(`no golden account ${address}`);
  return account;
}

/** The first addresses of a table. */
const truncate = (table: ClusterAccount, addresses: number): ClusterAccount => ({
  ...table,
  data: table.data.slice(0, 56 + 32 * addresses),
});

/** The vault account with another table. */
function vaultWithTable(source: FakeSource, table: Address): [Address, ClusterAccount] {
  const vault = accountOf(source, VAULT);
  const data = vault.data.slice();
  data.set(addressToBytes(table), vaultState.offsets.vaultLookupTable);
  return [VAULT, { ...vault, data }];
}

async function startIndexer(
  lookupTables: readonly Address[] = [MARKET_TABLE],
): Promise<GoldenIndexer> {
  const indexing = createGoldenIndexer({ lookupTables });
  await advanceSlotsWhile(indexing.source, indexing.indexer.start());
  indexing.source.advanceSlot();
  return indexing;
}

const countReads = ({ source }: GoldenIndexer): number =>
  source.requests.filter((request) => request === 'accounts').length;

const followedIn = ({ source }: GoldenIndexer): Address[] =>
  [...source.subscriptions].flatMap(({ target }) =>
    target.kind === 'accounts' ? target.addresses : [],
  );

const tablesIn = ({ state }: GoldenIndexer): Address[] =>
  state.lookupTables().map(({ address }) => address);

const lengthOf = ({ state }: GoldenIndexer, table: Address): number | undefined =>
  state.lookupTable(table)?.fields.addresses.length;

test('the first load reads the tables of vaults and the configured tables', async () => {
  const indexing = await startIndexer([MARKET_TABLE, ZERO_TABLE, MISSING_TABLE, MARKET_TABLE]);
  expect(tablesIn(indexing).sort()).toEqual([VAULT_TABLE, MARKET_TABLE, OTHER_VAULT_TABLE].sort());
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(goldenTableLength(MARKET_TABLE));
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(goldenTableLength(VAULT_TABLE));
  expect(followedIn(indexing).sort()).toEqual([...tablesIn(indexing), MISSING_TABLE].sort());
  expect(countReads(indexing)).toBe(1);
  indexing.indexer.stop();
  expect(indexing.source.subscriptions.size).toBe(0);
});

test('the first load waits for the lookup tables', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  let isDown = true;
  source.onRequest = (request) => {
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

test('new addresses of a table are visible when their slot is complete', async () => {
  const indexing = await startIndexer();
  const { source, state, indexer } = indexing;
  const whole = accountOf(source, MARKET_TABLE);
  source.advanceSlot([[MARKET_TABLE, truncate(whole, 3)]]);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(3);
  const slot = (source.at.slot + 1n) as typeof source.at.slot;
  source.announce({ address: MARKET_TABLE, account: whole, slot });
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(3);
  source.advanceSlot([[MARKET_TABLE, whole]]);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(goldenTableLength(MARKET_TABLE));
  expect(state.at().slot).toBe(slot);
  const late = (slot - 1n) as typeof slot;
  source.announce({ address: MARKET_TABLE, account: truncate(whole, 3), slot: late });
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(goldenTableLength(MARKET_TABLE));
  indexer.stop();
});

test('a closed table disappears and reappears when it is created again', async () => {
  const indexing = await startIndexer();
  const { source, indexer } = indexing;
  const table = accountOf(source, VAULT_TABLE);
  source.advanceSlot([[VAULT_TABLE, undefined]]);
  expect(tablesIn(indexing)).toEqual([MARKET_TABLE, OTHER_VAULT_TABLE]);
  source.advanceSlot([[VAULT_TABLE, table]]);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(goldenTableLength(VAULT_TABLE));
  indexer.stop();
});

test('after a gap the slot does not advance until the tables were read again', async () => {
  const indexing = await startIndexer();
  const { source, state, indexer } = indexing;
  const before = state.at().slot;
  source.onRequest = (request) => {
    if (request !== 'accounts') return;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'down' });
  };
  source.accounts.set(MARKET_TABLE, truncate(accountOf(source, MARKET_TABLE), 3));
  source.accounts.delete(VAULT_TABLE);
  source.reportGap();
  const requests = source.requests.length;
  await advanceSlotsUntil(source, () => source.requests.slice(requests).includes('accounts'));
  expect(state.at().slot).toBe(before);
  source.onRequest = () => undefined;
  await advanceSlotsUntil(source, () => state.at().slot > before);
  expect(lengthOf(indexing, MARKET_TABLE)).toBe(3);
  expect(tablesIn(indexing)).toEqual([MARKET_TABLE, OTHER_VAULT_TABLE]);
  indexer.stop();
});

test('when a vault changes its table, the new table is followed and the old one is removed', async () => {
  const indexing = await startIndexer();
  const { source, indexer } = indexing;
  const old = accountOf(source, VAULT_TABLE);
  source.advanceSlot([vaultWithTable(source, USER_TABLE)]);
  expect(tablesIn(indexing)).not.toContain(VAULT_TABLE);
  await advanceSlotsUntil(source, () => lengthOf(indexing, USER_TABLE) === 0);
  source.advanceSlot([[VAULT_TABLE, truncate(old, 3)]]);
  source.reportGap();
  await advanceSlotsUntil(source, () => !indexer.status().resyncing);
  expect(tablesIn(indexing)).toEqual([USER_TABLE, MARKET_TABLE, OTHER_VAULT_TABLE].sort());
  source.advanceSlot([vaultWithTable(source, VAULT_TABLE)]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, VAULT_TABLE) === 3);
  source.advanceSlot([[VAULT_TABLE, old]]);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(goldenTableLength(VAULT_TABLE));
  expect(tablesIn(indexing)).not.toContain(USER_TABLE);
  indexer.stop();
});

test('other changes of a vault do not cause reads of tables', async () => {
  const indexing = await startIndexer();
  const { source, state, indexer } = indexing;
  const { sharesIssued } = vaultState.offsets;
  for (const shares of [5n, 6n, 7n]) {
    source.advanceSlot([[VAULT, withValueAt(accountOf(source, VAULT), sharesIssued, shares)]]);
  }
  expect(state.vault(VAULT)?.fields.sharesIssued).toBe(7n);
  // the change of a table comes last, and causes the only read after the first one
  source.advanceSlot([vaultWithTable(source, USER_TABLE)]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, USER_TABLE) === 0);
  expect(countReads(indexing)).toBe(2);
  expect(followedIn(indexing)).toHaveLength(4);
  indexer.stop();
});

test('a table stays while it is configured or used by a vault', async () => {
  const indexing = await startIndexer([VAULT_TABLE]);
  const { source, indexer } = indexing;
  source.advanceSlot([vaultWithTable(source, ZERO_TABLE)]);
  source.advanceSlot([[VAULT_TABLE, truncate(accountOf(source, VAULT_TABLE), 3)]]);
  expect(lengthOf(indexing, VAULT_TABLE)).toBe(3);
  indexer.stop();
});

test('closing a vault removes its table, and a new vault adds one', async () => {
  const indexing = await startIndexer();
  const { source, state, indexer } = indexing;
  const vault = accountOf(source, VAULT);
  source.advanceSlot([[VAULT, undefined]]);
  source.reportGap();
  await advanceSlotsUntil(source, () => state.vault(VAULT) === undefined);
  expect(tablesIn(indexing)).toEqual([MARKET_TABLE, OTHER_VAULT_TABLE]);
  source.advanceSlot([[VAULT, vault]]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, VAULT_TABLE) === 23);
  indexer.stop();
});

test('a vault whose table is another kind of account does not affect that account', async () => {
  const indexing = createGoldenIndexer({ mode: 'on-demand' });
  const { source, state, indexer } = indexing;
  await advanceSlotsWhile(source, indexer.start());
  const read = countReads(indexing);
  source.advanceSlot([vaultWithTable(source, LOAN)]);
  await advanceSlotsUntil(source, () => countReads(indexing) > read);
  source.advanceSlot([[LOAN, accountOf(source, LOAN)]]);
  expect(state.obligation(LOAN)).toBeUndefined();
  source.advanceSlot([vaultWithTable(source, RESERVE)]);
  await advanceSlotsUntil(source, () => countReads(indexing) > read + 1);
  source.advanceSlot();
  source.announce({ address: RESERVE, account: undefined, slot: source.at.slot });
  expect(state.reserve(RESERVE)).toBeDefined();
  source.advanceSlot([vaultWithTable(source, VAULT_TABLE)]);
  await advanceSlotsUntil(source, () => lengthOf(indexing, VAULT_TABLE) === 23);
  expect(state.reserve(RESERVE)).toBeDefined();
  indexer.stop();
});

test('if the source rejects table subscriptions, everything else loads and no retry follows', async () => {
  const { source, state, indexer } = createGoldenIndexer({ lookupTables: [MARKET_TABLE] });
  let attempts = 0;
  source.onRequest = (request, scan) => {
    if (request !== 'follow' || scan !== undefined) return;
    attempts++;
    throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'too many subscriptions' });
  };
  await advanceSlotsWhile(source, indexer.start());
  expect(state.lookupTables()).toEqual([]);
  expect(indexer.status()).toMatchObject({ ready: true, loading: false });
  source.advanceSlot([[VAULT, accountOf(source, VAULT)]]);
  expect(state.vaults()).toHaveLength(2);
  // only a new table is tried after that
  source.advanceSlot([vaultWithTable(source, USER_TABLE)]);
  await advanceSlotsUntil(source, () => attempts > 1);
  expect(attempts).toBe(2);
  indexer.stop();
});
