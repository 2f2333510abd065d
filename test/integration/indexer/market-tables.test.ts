import { expect, onTestFinished, test } from 'vitest';
import { type Address, addressToBytes, toAddress } from '#core/base/encoding/address.ts';
import type { Logger } from '#core/base/logger.ts';
import { encodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { CodedError } from '#server/errors.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  type GoldenIndexer,
} from '../../support/clusters/golden-indexer.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import {
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenUserTable,
} from '../../support/golden/golden-addresses.ts';

const MARKET = goldenMarket('Main Market').address;
const OTHER_MARKET = goldenMarket('JLP Market').address;
const MARKET_TABLE = goldenMarket('Main Market').lookupTable;
const RESERVE = goldenReserve('Main Market', 'SOL').address;
/** Holds no address. */
const USER_TABLE = goldenUserTable('alice');
const SMALL_TABLE = toAddress('Vote111111111111111111111111111111111111111');
const WALLET = goldenUser('alice').address;
const SIGNATURE = '1'.repeat(64);

/** The result of `getTransaction` for a transaction that loads the first address of each table. */
const transactionWith = (tables: readonly Address[]) => {
  const message = {
    version: 0 as const,
    header: {
      numRequiredSignatures: 1,
      numReadonlySignedAccounts: 0,
      numReadonlyUnsignedAccounts: 0,
    },
    staticKeys: [WALLET],
    recentBlockhash: WALLET,
    instructions: [],
    lookups: tables.map((table) => ({ table, writableIndexes: [0], readonlyIndexes: [] })),
  };
  const wire = encodeWireTransaction({ signatures: [SIGNATURE], message });
  return { transaction: [Buffer.from(wire).toString('base64'), 'base64'], version: 0 };
};

type TestTransaction = { readonly tables: readonly Address[]; readonly failed?: boolean };

type SearchingIndexer = GoldenIndexer & {
  /** The markets of all searches that have ended, in order. */
  readonly ended: readonly unknown[];
};

async function startWith(transactions: readonly TestTransaction[]): Promise<SearchingIndexer> {
  let now = 0;
  const ended: unknown[] = [];
  const log: Logger = {
    ...silentLog,
    debug: (context, message) => {
      if (message.startsWith('lookup table search')) ended.push(Reflect.get(context, 'market'));
    },
  };
  const created = createGoldenIndexer({ clock: () => now++, log });
  const { source, indexer } = created;
  onTestFinished(() => indexer.stop());
  source.ledger.add(
    ...transactions.map(({ tables, failed = false }, i) => ({
      signature: `s${i}`,
      slot: BigInt(i),
      at: 0n,
      failed,
      mentions: [MARKET],
      response: transactionWith(tables),
    })),
  );
  await advanceSlotsWhile(source, indexer.start());
  return { ...created, ended };
}

/** A table with these addresses, in the form of the market's table. */
function addTable({ source }: GoldenIndexer, table: Address, addresses: readonly Address[]): void {
  const known = source.accounts.get(MARKET_TABLE);
  if (known === undefined) throw new Error('the market has no table');
  const head = known.data.subarray(0, 56);
  const data = Uint8Array.from(Buffer.concat([head, ...addresses.map(addressToBytes)]));
  source.accounts.set(table, { ...known, data });
}

const searched = ({ source }: GoldenIndexer): boolean =>
  source.ledger.requests.includes('getTransactions');

test('the table of recent transactions that holds most of a market is followed', async () => {
  const indexing = await startWith([
    { tables: [USER_TABLE, SMALL_TABLE] },
    { tables: [MARKET_TABLE] },
  ]);
  const { source, state, indexer } = indexing;
  addTable(indexing, SMALL_TABLE, [MARKET, RESERVE]);
  expect(indexer.marketTables.tableOf(MARKET)).toBeUndefined();
  indexer.marketTables.request(MARKET);
  await advanceSlotsUntil(source, () => indexer.marketTables.tableOf(MARKET) !== undefined);
  expect(indexer.marketTables.tableOf(MARKET)).toBe(MARKET_TABLE);
  expect(state.lookupTable(MARKET_TABLE)).toBeDefined();
  expect(state.lookupTable(SMALL_TABLE)).toBeUndefined();
});

test('a configured market without a table is searched after the start', async () => {
  const { lookupTable: _, ...market } = goldenMarket('Main Market');
  const programId = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
  const lookupTable = toAddress('11111111111111111111111111111111');
  const known = { markets: [{ address: market.address, programId, lookupTable }], vaults: [] };
  const { source, indexer } = createGoldenIndexer({ known });
  onTestFinished(() => indexer.stop());
  await advanceSlotsWhile(source, indexer.start());
  await advanceSlotsUntil(source, () => source.ledger.requests.includes('listSignatures'));
});

test('a table without the market or without a reserve is not used', async () => {
  const indexing = await startWith([{ tables: [SMALL_TABLE] }, { tables: [USER_TABLE] }]);
  addTable(indexing, SMALL_TABLE, [RESERVE]);
  addTable(indexing, USER_TABLE, [MARKET]);
  const { source, indexer, ended } = indexing;
  indexer.marketTables.request(MARKET);
  await advanceSlotsUntil(source, () => ended.length > 0);
  expect(indexer.marketTables.tables()).toEqual([]);
});

test('requests are bounded, and a market is not searched again at once', async () => {
  const indexing = await startWith(Array.from({ length: 40 }, () => ({ tables: [USER_TABLE] })));
  const { source, indexer, ended } = indexing;
  for (let i = 0; i < 5; i++) indexer.marketTables.request(MARKET);
  await advanceSlotsUntil(source, () => ended.length > 0);
  indexer.marketTables.request(MARKET);
  // markets are searched one after the other
  indexer.marketTables.request(OTHER_MARKET);
  await advanceSlotsUntil(source, () => ended.includes(OTHER_MARKET));
  expect(ended).toEqual([MARKET, OTHER_MARKET]);
  expect(source.ledger.fetched).toHaveLength(12);
});

test('a node without transactions leaves the market without a table', async () => {
  const indexing = await startWith([{ tables: [MARKET_TABLE] }]);
  const { source, indexer, ended } = indexing;
  source.ledger.onRequest = () => {
    throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'unknown method' });
  };
  indexer.marketTables.request(MARKET);
  await advanceSlotsUntil(source, () => ended.length > 0);
  expect(indexer.marketTables.tables()).toEqual([]);
  expect(indexer.status().ready).toBe(true);
});

test('failed transactions are not read, and an unknown market is not searched', async () => {
  const indexing = await startWith([{ tables: [MARKET_TABLE], failed: true }]);
  const { source, indexer } = indexing;
  indexer.marketTables.request(WALLET);
  indexer.marketTables.request(MARKET);
  await advanceSlotsUntil(source, () => searched(indexing));
  expect(source.ledger.fetched).toEqual([]);
  expect(source.ledger.requests).toHaveLength(2);
});

test('a deactivated table is no longer used', async () => {
  const indexing = await startWith([{ tables: [MARKET_TABLE] }]);
  const { source, indexer } = indexing;
  indexer.marketTables.request(MARKET);
  await advanceSlotsUntil(source, () => indexer.marketTables.tableOf(MARKET) !== undefined);
  const account = source.accounts.get(MARKET_TABLE);
  if (account === undefined) throw new Error('the market has no table');
  const data = account.data.slice();
  new DataView(data.buffer).setBigUint64(4, 5n, true);
  source.advanceSlot([[MARKET_TABLE, { ...account, data }]]);
  expect(indexer.marketTables.tableOf(MARKET)).toBeUndefined();
});
