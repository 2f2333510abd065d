import { expect, onTestFinished, test } from 'vitest';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { readJson, startApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

const MARKET = goldenMarket('Main Market').address;
const ALICE = 'DXY4ekUz6fkL1Sv4vUyP1MExBf8gTnnPhV9J1nE6CDoB';
const LOAN = goldenLoan('frank');
const FRANK = goldenUser('frank').address;
const VAULT = goldenVault('Steady USDC').address;

const MARKET_TABLES = [
  goldenMarket('Main Market').lookupTable,
  goldenMarket('JLP Market').lookupTable,
];

const PATHS = [
  '/v2/svc-market',
  `/v2/svc-market/${MARKET}`,
  `/svc-market/${MARKET}/reserves/metrics`,
  `/svc-market/reserves/account-data?markets=${MARKET}`,
  `/svc-market/${MARKET}/leverage/metrics`,
  `/svc-market/${MARKET}/users/${FRANK}/obligations`,
  `/svc-market/${MARKET}/users/${ALICE}/obligations`,
  `/klend/loans/${LOAN}`,
  '/kvaults/vaults',
  `/kvaults/vaults/${VAULT}`,
  `/kvaults/vaults/${VAULT}/metrics`,
  `/kvaults/vaults/${VAULT}/allocations`,
  `/kvaults/users/${FRANK}/positions`,
  `/kvaults/users/${FRANK}/positions/${VAULT}`,
  `/portfolio/${FRANK}`,
  `/portfolio/${FRANK}/rewards`,
  '/oracles/prices',
];

/** State that was read from a loopback node with the golden accounts, over JSON-RPC and WebSocket. */
async function startIndexedCluster() {
  const golden = await startGoldenLocalnet();
  const source = createClusterSource({
    rpcUrls: [new URL(golden.rpcUrl)],
    wsUrls: [new URL(golden.wsUrl)],
    commitment: 'confirmed',
    clock: Date.now,
    random: Math.random,
    log: silentLog,
  });
  const state = new ClusterState({ log: silentLog });
  const indexer = createIndexer({
    source,
    state,
    mode: 'all',
    clock: Date.now,
    random: Math.random,
    log: silentLog,
    lookupTables: MARKET_TABLES,
  });
  onTestFinished(() => {
    indexer.stop();
    source.close();
  });
  const ticker = setInterval(() => golden.advanceSlots(1), 50);
  onTestFinished(() => clearInterval(ticker));
  await indexer.start();
  clearInterval(ticker);
  return { golden, state };
}

test('responses from indexed state equal responses from the accounts', async () => {
  const { golden, state } = await startIndexedCluster();
  // slots have stopped: the newest one is not confirmed, and the one before it is complete when the next one starts
  const { bank: ledger } = golden.localnet;
  await expect.poll(() => state.at().slot).toBe(ledger.slot - 2n);
  const at = state.at();

  const bank = golden.localnet.bank.view(at.slot);
  const accounts = new Map(
    [...goldenCluster().accounts.keys()].flatMap((address) => {
      const account = bank.account(address);
      return account === undefined ? [] : [[address, account] as const];
    }),
  );
  const indexed = await startApi({ clusters: goldenClusters({ reader: state }) });
  const reader = goldenReader({ at, accounts, slotMs: state.slotMs() });
  const direct = await startApi({ clusters: goldenClusters({ reader }) });
  for (const path of PATHS) {
    const [read, expected] = [await indexed.get(path), await direct.get(path)];
    expect(read.status, path).toBe(200);
    expect(read.body, path).toEqual(expected.body);
  }
  expect(await findLookupTables(indexed.url)).toEqual(await findLookupTables(direct.url));
});

/** Lookup tables for a vault and for a reserve that only the market's table contains. */
async function findLookupTables(url: string): Promise<unknown> {
  const addresses = [goldenReserve('Main Market', 'USDT').address, VAULT];
  const response = await fetch(`${url}/luts/find-minimal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addresses }),
  });
  const { body } = await readJson(response);
  expect(body).toMatchObject({ lutAddresses: [expect.any(String), MARKET_TABLES[0]] });
  return body;
}
