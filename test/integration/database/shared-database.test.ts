import type { Logger } from '@tidegate/core/base';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { openHistory } from '#server/history/open-history.ts';
import { createDemoSender } from '../../support/clusters/demo-sender.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { findPostgresServer } from '../../support/history/postgres-server.ts';
import { createProxiedDatabase } from '../../support/history/proxied-database.ts';
import { startApi } from '../../support/http/test-api.ts';

const server = await findPostgresServer();
const testWithPostgres = test.skipIf(server === undefined);

const SEED = 'tidegate';
const SCHEMA = 'tidegate_localnet';
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};
const PATIENTLY = { interval: 50 };

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

/** Serves the cluster as `tidegate serve` does, with the history in the database. */
async function serve({ rpcUrl, metadata, now, advanceTime }: Genesis, url: string) {
  const lines: string[] = [];
  const add = (_: object, message: string) => void lines.push(message);
  const log: Logger = { ...silentLog, info: add, warn: add, error: add };
  const history = await openHistory({ url, schema: SCHEMA, isShared: true, folder: '', log });
  const registry = createLocalnetRegistry(metadata);
  const opened = openCluster(
    { env: 'localnet', rpcUrls: [new URL(rpcUrl)], wsUrls: [], registry, history },
    {
      ...{ commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' },
      ...{ clock: now, log, timing: TIMING },
    },
  );
  onTestFinished(opened.stop);
  const { cluster } = opened;
  const readiness = () => {
    advanceTime();
    return cluster.status().waitingFor;
  };
  await expect.poll(readiness, PATIENTLY).toBeUndefined();
  const api = await startApi({ clusters: createClusters([cluster]), clock: now });
  return { ...opened, api, lines };
}

type Served = Awaited<ReturnType<typeof serve>>;

const readHistory = async ({ api }: Served) => {
  const { body } = await api.get('/status');
  const [cluster] = (body as { clusters: { history: object }[] }).clusters;
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const metrics = text.split('\n').filter((line) => line.startsWith('tidegate_history_recording'));
  return { ready: (await api.get('/ready')).body, history: cluster?.history, metrics };
};

const WRITES = {
  ready: { ready: true, history: { ready: true, waitingFor: [] } },
  history: { available: true, recording: true, since: null, problem: null },
  metrics: ['tidegate_history_recording{cluster="localnet"} 1'],
};
const READS = {
  ready: { ready: true, history: { ready: false, waitingFor: ['localnet: recording'] } },
  history: {
    available: true,
    recording: false,
    problem:
      'Another server records the history in this database. This server only reads it, and records it when the other one ends.',
  },
  metrics: ['tidegate_history_recording{cluster="localnet"} 0'],
};

testWithPostgres('the second server only reads, and takes over when the first ends', async () => {
  const { directUrl } = await createProxiedDatabase(server ?? '');
  const genesis = await startGenesisApi(SEED);
  const send = createDemoSender(genesis, SEED);
  const { vault: kvault, wallet } = genesis.metadata.demo;
  const path = `/kvaults/users/${wallet}/transactions`;
  const listed = async ({ api }: Served) => {
    genesis.advanceTime();
    const { body } = await api.get(path);
    return Array.isArray(body) ? body.map(({ transaction }) => transaction) : body;
  };
  const first = await serve(genesis, directUrl);
  const second = await serve(genesis, directUrl);
  expect(await readHistory(first)).toMatchObject(WRITES);
  expect(await readHistory(second)).toMatchObject(READS);
  const deposit = await send('kvault/deposit', { kvault, amount: '10' });
  await expect.poll(() => listed(first), PATIENTLY).toEqual([deposit]);
  expect(await listed(second)).toEqual([deposit]);

  await first.stop();
  const later = await send('kvault/deposit', { kvault, amount: '5' });
  await expect.poll(() => listed(second), PATIENTLY).toEqual([later, deposit]);
  expect(await readHistory(second)).toMatchObject(WRITES);
  expect(second.lines.filter((line) => line.includes('record'))).toEqual([
    'history is not recorded',
    'history is recorded again',
  ]);
  const history = await openHistory({ url: directUrl, schema: SCHEMA, folder: '', log: silentLog });
  onTestFinished(() => history.close());
  const { rows } = await sql`select name from gap`.execute(history.db);
  expect(rows).toEqual([]);
});

testWithPostgres('a server starts without its database, and records when it comes', async () => {
  const { url, proxy } = await createProxiedDatabase(server ?? '');
  await proxy.disconnect();
  const genesis = await startGenesisApi(SEED);
  const served = await serve(genesis, url);
  const { api } = served;
  const path = `/kvaults/users/${genesis.metadata.demo.wallet}/transactions`;
  expect((await api.get('/kvaults/vaults')).status).toBe(200);
  expect(await api.get(path)).toMatchObject({
    status: 503,
    body: { code: 'HISTORY_UNAVAILABLE' },
  });
  expect(await readHistory(served)).toMatchObject({
    ready: { ready: true, history: { ready: false, waitingFor: ['localnet: database'] } },
    history: { available: false, recording: false },
  });

  await proxy.reconnect();
  const recorded = async () => {
    genesis.advanceTime();
    return served.cluster.recording?.status()?.writtenAt;
  };
  await expect.poll(recorded, PATIENTLY).toBeGreaterThan(0);
  await expect.poll(async () => (await api.get(path)).status).toBe(200);
  expect(await readHistory(served)).toMatchObject(WRITES);
});

testWithPostgres('a database that does not exist, or a wrong user, ends the start', async () => {
  const { url } = await createProxiedDatabase(server ?? '');
  const open = (given: string) =>
    catchError(openHistory({ url: given, isShared: true, folder: '', log: silentLog }));
  const missing = await open(url.replace(/\/\w+$/, '/history_test_missing'));
  expect(missing?.message).toMatch(/cannot be used: .*"history_test_missing" does not exist/);
  const user = await open(url.replace(/\/\/[^@]+@/, '//nobody_known:secret@'));
  expect(user?.message).toMatch(/cannot be used: /);
  expect(user?.message).not.toContain('secret');
});
