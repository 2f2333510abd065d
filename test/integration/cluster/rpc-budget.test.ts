import { expect, onTestFinished, test } from 'vitest';
import type { RpcBudget } from '#server/chain/budget/rpc-budget.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { startApi } from '../../support/http/test-api.ts';

const PATIENTLY = { interval: 25 };

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

async function serve(genesis: Genesis, value: RpcBudget | undefined) {
  const { rpcUrl, localnet, metadata, now, advanceTime } = genesis;
  const { wsUrl } = await localnet.addNode(0);
  const { cluster, stop } = openCluster(
    {
      env: 'localnet',
      rpcUrls: [new URL(rpcUrl)],
      wsUrls: [new URL(wsUrl)],
      registry: createLocalnetRegistry(metadata),
    },
    {
      commitment: 'confirmed',
      maxLagSlots: 150,
      obligations: 'all',
      rpcBudget: { value },
      clock: now,
      log: silentLog,
      timing: { indexer: { tickMs: 20, retryMs: 20 } },
    },
  );
  onTestFinished(stop);
  const api = await startApi({ clusters: createClusters([cluster]), clock: now });
  const ready = async () => {
    advanceTime();
    return (await api.get('/ready')).status;
  };
  await expect.poll(ready, PATIENTLY).toBe(200);
  return { cluster, api };
}

const usageOf = (cluster: Cluster) => cluster.status().endpoints[0]?.usage;

test('with a rate the cluster still loads, and calls wait for their turn', async () => {
  const genesis = await startGenesisApi();
  const { cluster } = await serve(genesis, { callsPerSecond: 200, bytesPerDay: undefined });
  expect(usageOf(cluster)).toMatchObject({
    budget: { callsPerSecond: 200, bytesLeft: undefined },
  });
  expect(usageOf(cluster)?.today.calls).toBeGreaterThan(10);
});

test('when the bytes of the day are used up the status says so, and builders return the code', async () => {
  const genesis = await startGenesisApi();
  const { wallet, vaultDeposit } = genesis.metadata.demo;
  const { cluster: unlimited } = await serve(genesis, undefined);
  const loaded = usageOf(unlimited)?.today.bytes ?? 0;
  const bytesPerDay = 2 * loaded + 1_000_000;
  const { cluster, api } = await serve(genesis, { callsPerSecond: undefined, bytesPerDay });
  expect(cluster.status().missing).toEqual([]);
  const build = () => jsonPoster(api)('/ktx/kvault/deposit', { wallet, ...vaultDeposit });
  expect((await build()).status).toBe(200);

  const reserves = cluster.reader
    .markets()
    .flatMap(({ address }) => cluster.reader.reservesOf(address))
    .map(({ address }) => address);
  let error: Awaited<ReturnType<typeof catchError>>;
  while (error === undefined) error = await catchError(cluster.readAccounts(reserves));
  expect(error.code).toBe('RPC_BUDGET_SPENT');
  expect(usageOf(cluster)?.budget).toMatchObject({ bytesPerDay, bytesLeft: 0 });
  expect(cluster.status().missing).toEqual([
    expect.stringMatching(/^The bytes that RPC_BUDGET allows for rpc 127\.0\.0\.1:\d+ today/),
  ]);
  const refused = await build();
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({ statusCode: 503, code: 'RPC_BUDGET_SPENT' });
  const { status, body } = await api.get('/status');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('"bytesLeft":0');
});
