import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Logger } from '#core/base/logger.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import type { ClusterConfig } from '#server/composition/clusters/cluster-config.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { startApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const LOCAL_GENESIS = '11111111111111111111111111111111';
const DEVNET_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const soon = { interval: 20 };

function open(config: Omit<ClusterConfig, 'registry'>, log: Logger = silentLog) {
  const opened = openCluster(
    { ...config, registry: emptyRegistry },
    {
      commitment: 'confirmed',
      maxLagSlots: 150,
      obligations: 'all',
      clock: Date.now,
      log,
      timing: {
        source: { probeMs: 50, retryMs: 5, ladder: { failAfterMs: 1_500 } },
        indexer: { tickMs: 20, retryMs: 20 },
      },
    },
  );
  onTestFinished(() => opened.stop());
  return opened;
}

async function startNode(genesisHash: string) {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  node.genesisHash = genesisHash;
  return node;
}

/** A server that answers 404 to every WebSocket. */
async function startWithoutWebSockets(): Promise<URL> {
  const server = createServer((_, response) => response.writeHead(404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test('with a WebSocket that answers 404 the cluster is polled and becomes ready, and the status says why', async () => {
  const golden = await startGoldenLocalnet();
  const wsUrl = await startWithoutWebSockets();
  const rpcUrls = [new URL(golden.rpcUrl)];
  const { cluster } = open({ env: 'localnet', rpcUrls, wsUrls: [wsUrl] });
  const ticker = setInterval(() => golden.advanceSlots(1), 50);
  onTestFinished(() => clearInterval(ticker));
  await expect.poll(() => cluster.reader.at().slot, soon).toBeGreaterThan(0n);
  const api = await startApi({ clusters: createClusters([cluster]) });
  const { body } = await api.get('/status');
  const [served] = (body as { clusters: [Record<string, unknown>] }).clusters;
  expect(served).toMatchObject({
    missing: [],
    source: {
      step: 'polling',
      reason: expect.stringMatching(/^websocket: .*404/),
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      steps: [
        {
          step: 'websocket',
          active: false,
          lastError: expect.stringMatching(/404/),
          retryAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
        { step: 'polling', active: true, lastError: null, retryAt: null },
      ],
    },
  });
});

test('while no endpoint has ever responded, the status says why and has no age', async () => {
  const node = await startNode(MAINNET_GENESIS);
  const { url } = node;
  await node.stop();
  const { cluster } = open({ env: 'mainnet-beta', rpcUrls: [url], wsUrls: [url] });
  const api = await startApi({ clusters: createClusters([cluster]) });
  const refused = expect.stringMatching(/ECONNREFUSED/);
  await expect
    .poll(async () => (await api.get('/status')).body)
    .toMatchObject({
      clusters: [
        {
          slot: null,
          blockTime: null,
          ageMs: null,
          lagSlots: null,
          endpoints: [{ healthy: false, slot: null, lastError: refused }],
          source: {
            reason: 'No source is open yet.',
            steps: [
              { step: 'websocket', active: false },
              { step: 'polling', active: false },
            ],
          },
          missing: [
            expect.stringMatching(/^Nothing is loaded yet, because no endpoint works\. .*REFUSED/),
          ],
        },
      ],
    });
  const { headers } = await api.get('/ready');
  expect(headers.get('x-env')).toBe('mainnet-beta');
  for (const name of ['x-slot', 'x-block-time', 'x-data-age'])
    expect(headers.has(name)).toBe(false);
});

test('an endpoint of another cluster stops the start with one message', async () => {
  const node = await startNode(DEVNET_GENESIS);
  const errors: string[] = [];
  const log: Logger = { ...silentLog, error: (_, message) => errors.push(message) };
  const config = { env: 'mainnet-beta' as const, rpcUrls: [node.url], wsUrls: [] };
  const { failed, cluster } = open(config, log);
  const failure = await catchError(failed);
  expect(failure?.code).toBe('INVALID_SETTING');
  expect(failure?.message).toBe(
    'CLUSTER is "mainnet-beta". It accepts the cluster of RPC_URL, which is devnet.',
  );
  expect(errors).toEqual(['endpoint belongs to another cluster']);
  expect(cluster.status().missing).toEqual([
    expect.stringMatching(/^Nothing is followed: CLUSTER/),
  ]);
});

test('the message names the setting that is wrong', async () => {
  const [right, wrong] = [await startNode(MAINNET_GENESIS), await startNode(DEVNET_GENESIS)];
  const unknown = await startNode(LOCAL_GENESIS);
  const messageOf = async (config: Partial<ClusterConfig>) => {
    const env = 'mainnet-beta' as const;
    const { failed } = open({ env, rpcUrls: [wrong.url], wsUrls: [], ...config }, silentLog);
    return (await catchError(failed))?.message;
  };
  const [first, second] = [`rpc ${wrong.url.host}`, `rpc ${right.url.host}`];
  expect(await messageOf({ rpcUrls: [wrong.url, right.url] })).toBe(
    `RPC_URL is "${first}, ${second}". It accepts endpoints of mainnet-beta; ${first} serves devnet.`,
  );
  expect(await messageOf({ rpcSetting: 'RPC_URL_MAINNET' })).toBe(
    `RPC_URL_MAINNET is "${first}". It accepts endpoints of mainnet-beta; ${first} serves devnet.`,
  );
  const local = `a test cluster with the genesis hash ${LOCAL_GENESIS} (CLUSTER=localnet serves it)`;
  expect(await messageOf({ rpcUrls: [unknown.url] })).toBe(
    `CLUSTER is "mainnet-beta". It accepts the cluster of RPC_URL, which is ${local}.`,
  );
  const other = `rpc ${unknown.url.host}`;
  expect(await messageOf({ rpcUrls: [unknown.url, right.url] })).toBe(
    `RPC_URL is "${other}, ${second}". It accepts endpoints of mainnet-beta; ${other} serves ${local}.`,
  );
});

test('a second endpoint of another cluster is left out, with one message', async () => {
  const [right, wrong] = [await startNode(MAINNET_GENESIS), await startNode(DEVNET_GENESIS)];
  const errors: string[] = [];
  const log: Logger = { ...silentLog, error: (_, message) => errors.push(message) };
  const rpcUrls = [right.url, wrong.url];
  const { cluster } = open({ env: 'mainnet-beta', rpcUrls, wsUrls: [] }, log);
  const ticker = setInterval(() => right.nextSlot(), 20);
  onTestFinished(() => clearInterval(ticker));
  await expect.poll(() => cluster.reader.at().slot, soon).toBeGreaterThan(0n);
  expect(wrong.requests.filter(({ method }) => method !== 'getGenesisHash')).toEqual([]);
  expect(errors).toEqual(['endpoint belongs to another cluster']);
});
