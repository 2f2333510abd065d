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
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};
const PATIENTLY = { interval: 25 };

function collectWarnings() {
  const lines: string[] = [];
  const add = (_: object, message: string) => void lines.push(message);
  const log: Logger = { ...silentLog, info: add, warn: add, error: add };
  return { lines, log };
}

/** Serves a cluster whose database can be cut. */
async function startCluster() {
  const { url, proxy } = await createProxiedDatabase(server ?? '');
  const { lines, log } = collectWarnings();
  const genesis = await startGenesisApi(SEED);
  const { rpcUrl, metadata, now, advanceTime } = genesis;
  const { cluster, stop } = openCluster(
    {
      env: 'localnet',
      rpcUrls: [new URL(rpcUrl)],
      wsUrls: [],
      registry: createLocalnetRegistry(metadata),
      history: await openHistory({ url, isShared: true, folder: '', log }),
    },
    {
      ...{ commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' },
      ...{ clock: now, log, timing: TIMING },
    },
  );
  onTestFinished(stop);
  const readiness = () => {
    advanceTime();
    return cluster.status().waitingFor;
  };
  await expect.poll(readiness, PATIENTLY).toBeUndefined();
  const api = await startApi({ clusters: createClusters([cluster]), clock: now });
  return { ...genesis, api, proxy, lines, send: createDemoSender(genesis, SEED) };
}

type Started = Awaited<ReturnType<typeof startCluster>>;

const listVaultTransactions = async ({ api, advanceTime, metadata }: Started) => {
  advanceTime();
  const { wallet } = metadata.demo;
  const { body } = await api.get(`/kvaults/users/${wallet}/transactions`);
  return Array.isArray(body) ? body.map(({ transaction }) => transaction) : body;
};

const readHealth = async ({ api }: Started) => {
  const ready = await api.get('/ready');
  const { body } = await api.get('/status');
  const [cluster] = (body as { clusters: { history: object; missing: string[] }[] }).clusters;
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const metrics = text
    .split('\n')
    .filter((line) => /^tidegate_history_(available|recording)/.test(line));
  return { ready, history: cluster?.history, missing: cluster?.missing, metrics };
};

testWithPostgres(
  'an outage is reported, and nothing that happens in it is lost or doubled',
  async () => {
    const started = await startCluster();
    const { api, proxy, send, metadata, lines } = started;
    const { vault, wallet } = metadata.demo;
    const path = `/kvaults/users/${wallet}/transactions`;
    const first = await send('kvault/deposit', { kvault: vault, amount: '10' });
    await expect.poll(() => listVaultTransactions(started), PATIENTLY).toEqual([first]);
    const works = {
      ready: { status: 200, body: { ready: true, history: { ready: true, waitingFor: [] } } },
      history: { engine: 'postgres', available: true, recording: true, since: null, problem: null },
      missing: [],
      metrics: [
        'tidegate_history_available{cluster="localnet"} 1',
        'tidegate_history_recording{cluster="localnet"} 1',
      ],
    };
    expect(await readHealth(started)).toMatchObject(works);
    lines.length = 0;

    await proxy.disconnect();
    const { status, body, headers } = await api.get(path);
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'HISTORY_UNAVAILABLE' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const second = await send('kvault/deposit', { kvault: vault, amount: '5' });
    await expect
      .poll(() => readHealth(started))
      .toMatchObject({
        ready: {
          status: 200,
          body: { ready: true, history: { ready: false, waitingFor: ['localnet: database'] } },
        },
        history: { available: false, recording: false, since: expect.any(String) },
        missing: [expect.stringContaining('The history is not available.')],
        metrics: [
          'tidegate_history_available{cluster="localnet"} 0',
          'tidegate_history_recording{cluster="localnet"} 0',
        ],
      });
    expect((await api.get('/kvaults/vaults')).status).toBe(200);
    for (let count = 0; count < 20; count += 1) expect((await api.get(path)).status).toBe(503);

    await proxy.reconnect();
    await expect.poll(() => listVaultTransactions(started), PATIENTLY).toEqual([second, first]);
    expect(await readHealth(started)).toMatchObject(works);
    expect(lines).toEqual(['history is not available', 'history is available again']);
    expect(api.logLines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

testWithPostgres('a read over a connection that drops all packets fails', async () => {
  const { url, proxy } = await createProxiedDatabase(server ?? '');
  const history = await openHistory({ url, folder: '', log: silentLog });
  onTestFinished(() => history.close());
  const read = () => sql`select pg_sleep(0), 7 as seven`.execute(history.db);
  await read();
  proxy.freeze();
  expect((await catchError(read()))?.code).toBe('HISTORY_UNAVAILABLE');
  expect(history.health.status().isReadable).toBe(false);
  await proxy.disconnect();
  await proxy.reconnect();
  await expect.poll(() => history.health.status().isReadable).toBe(true);
  expect((await read()).rows).toMatchObject([{ seven: 7 }]);
});

testWithPostgres('an outage is noticed although nobody reads', async () => {
  const { url, proxy } = await createProxiedDatabase(server ?? '');
  const history = await openHistory({ url, folder: '', log: silentLog });
  onTestFinished(() => history.close());
  expect(history.health.status().isReadable).toBe(true);
  await proxy.disconnect();
  await expect.poll(() => history.health.status().isReadable).toBe(false);
  await proxy.reconnect();
  await expect.poll(() => history.health.status().isReadable).toBe(true);
});
