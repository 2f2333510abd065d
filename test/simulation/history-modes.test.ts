import { expect, onTestFinished, test } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import type { ClusterSettings } from '#server/composition/clusters/cluster-config.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { startCountingProxy } from '../support/clusters/counting-proxy.ts';
import { createDemoSender } from '../support/clusters/demo-sender.ts';
import { startGenesisApi } from '../support/clusters/genesis-api.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { startApi } from '../support/http/test-api.ts';

const SEED = 'tidegate';
const PATIENTLY = { interval: 25 };
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;
type Mode = ClusterSettings['historyMode'];

/** Serves the cluster with this history, and counts its calls. */
async function serve(genesis: Genesis, historyMode: Mode, history?: History) {
  const { rpcUrl, localnet, metadata, now, advanceTime } = genesis;
  const proxy = await startCountingProxy(rpcUrl);
  const { wsUrl } = await localnet.addNode(0);
  const opened = openCluster(
    {
      env: 'localnet',
      rpcUrls: [proxy.url],
      wsUrls: [new URL(wsUrl)],
      registry: createLocalnetRegistry(metadata),
      ...(history && { history }),
    },
    {
      commitment: 'confirmed',
      maxLagSlots: 150,
      obligations: 'all',
      ...(historyMode && { historyMode }),
      clock: now,
      log: silentLog,
      timing: TIMING,
    },
  );
  onTestFinished(opened.stop);
  const api = await startApi({ clusters: createClusters([opened.cluster]), clock: now });
  const ready = async () => {
    advanceTime();
    return (await api.get('/ready')).status;
  };
  await expect.poll(ready, PATIENTLY).toBe(200);
  return { api, proxy, cluster: opened.cluster };
}

const listsOfAll = (market: string, vault: string): readonly [string, unknown?][] => [
  ['/events/recent'],
  [`/kvaults/vaults/${vault}/allocation-volume/history`],
  ['/kvaults/transactions', { instruction: 'deposit' }],
  [`/kvaults/vaults/${vault}/transactions`, { instruction: 'deposit' }],
  [`/v2/svc-market/${market}/transactions`, { instruction: 'deposit' }],
];

async function codeOf({ url }: { readonly url: string }, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, body === undefined ? {} : post);
  const { code } = (await response.json()) as { code?: string };
  return [path, response.status, code];
}

test('HISTORY=off: current data is served, histories say that none is recorded', async () => {
  const genesis = await startGenesisApi(SEED);
  const { wallet, vault, market, obligation } = genesis.metadata.demo;
  const { api, proxy } = await serve(genesis, 'off');
  const { status, body } = await api.get('/status');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    clusters: [{ history: null, missing: ['No history is recorded (HISTORY=off).'] }],
  });
  for (const path of [`/kvaults/vaults/${vault}`, `/svc-market/${market}/reserves/metrics`]) {
    expect((await api.get(path)).status, path).toBe(200);
  }
  const histories: readonly [string, unknown?][] = [
    ...listsOfAll(market, vault),
    [`/kvaults/users/${wallet}/transactions`],
    [`/v2/svc-market/${market}/obligations/${obligation}/transactions`],
    [`/svc-market/${market}/metrics/history`],
  ];
  for (const [path, request] of histories) {
    expect(await codeOf(api, path, request)).toEqual([path, 503, 'HISTORY_DISABLED']);
  }
  expect([...proxy.calls.keys()]).not.toContain('getSignaturesForAddress');
});

onPglite('HISTORY=events-on-demand', ({ fresh }) => {
  test('loads the events of a position with each request, and lists no others', async () => {
    const genesis = await startGenesisApi(SEED);
    const { advanceTime, metadata } = genesis;
    const { wallet, vault, market, deposit } = metadata.demo;
    const send = createDemoSender(genesis, SEED);
    const history = await (await fresh()).open();
    const { api, proxy, cluster } = await serve(genesis, 'events-on-demand', history);
    const sampled = () => {
      advanceTime();
      return cluster.recording?.status()?.sampledAt;
    };
    await expect.poll(sampled, PATIENTLY).toBeDefined();
    const first = await send('kvault/deposit', { kvault: vault, amount: '10' });
    const lent = await send('klend/deposit', { market, ...deposit });
    expect([...proxy.calls.keys()]).not.toContain('getSignaturesForAddress');
    expect([...proxy.calls.keys()]).not.toContain('getTransaction');

    const readTransactions = async () => {
      advanceTime();
      const response = await api.get(`/kvaults/users/${wallet}/transactions`);
      expect(response.headers.get('x-gaps')).toBeNull();
      return (response.body as { transaction: string }[]).map?.(({ transaction }) => transaction);
    };
    await expect.poll(readTransactions, PATIENTLY).toEqual([first]);
    // a transaction after the load is in the next answer
    const second = await send('kvault/deposit', { kvault: vault, amount: '5' });
    expect(await readTransactions()).toEqual([second, first]);
    expect(await readTransactions()).toEqual([second, first]);
    const loans = async () => {
      advanceTime();
      const { body } = await api.get(`/v2/svc-market/${market}/users/${wallet}/transactions`);
      return JSON.stringify(body);
    };
    await expect.poll(loans, PATIENTLY).toContain(lent);

    for (const [path, request] of listsOfAll(market, vault)) {
      expect(await codeOf(api, path, request)).toEqual([path, 503, 'HISTORY_DISABLED']);
    }
    expect((await api.get('/ready')).status).toBe(200);
    const { body } = await api.get('/status');
    expect(JSON.stringify(body)).toContain('HISTORY=events-on-demand');
  });

  test('an unchanged position costs two calls per request', async () => {
    const genesis = await startGenesisApi(SEED);
    const { advanceTime, metadata } = genesis;
    const { vault, wallet } = metadata.demo;
    const send = createDemoSender(genesis, SEED);
    const history = await (await fresh()).open();
    const { proxy, cluster } = await serve(genesis, 'events-on-demand', history);
    await send('kvault/deposit', { kvault: vault, amount: '10' });
    const position = { name: 'the wallet', address: wallet, isListed: true } as const;
    const load = async () => {
      advanceTime();
      return await cluster.recording?.positionHistory.require([position]).then(
        () => 'loaded',
        () => 'later',
      );
    };
    await expect.poll(load, PATIENTLY).toBe('loaded');
    const before = proxy.calls.get('getSignaturesForAddress') ?? 0;
    const fetched = proxy.calls.get('getTransaction') ?? 0;
    expect(await load()).toBe('loaded');
    expect(proxy.calls.get('getSignaturesForAddress')).toBe(before + 1);
    expect(proxy.calls.get('getTransaction')).toBe(fetched);
  });
});
