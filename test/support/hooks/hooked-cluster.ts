import { expect, onTestFinished } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import type { ClusterSettings } from '#server/composition/clusters/cluster-config.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import { createDemoSender } from '../clusters/demo-sender.ts';
import { startGenesisApi } from '../clusters/genesis-api.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { jsonPoster } from '../http/post-json.ts';
import { type JsonResponse, readJson, startApi } from '../http/test-api.ts';

const SEED = 'tidegate';
const PATIENTLY = { interval: 25 };
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
  hooks: { pollMs: 20 },
};

type HookSettings = Pick<ClusterSettings, 'webhookPrivateAddresses' | 'webhookNetwork' | 'timing'>;

/** A local cluster whose time a test moves. */
export async function startHookGenesis() {
  const genesis = await startGenesisApi(SEED);
  const rpc = jsonPoster({ url: genesis.rpcUrl });
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const { body } = await rpc('', { jsonrpc: '2.0', id: 1, method, params });
    expect(body).not.toHaveProperty('error');
    return (body as { result: unknown }).result;
  };
  return {
    ...genesis,
    send: createDemoSender(genesis, SEED),
    /** Returns the slot in which it landed. */
    async setPrice(reserve: string, price: string): Promise<bigint> {
      const landing = call('tidegate_setPrice', [reserve, price]) as Promise<{ slot: number }>;
      let slot: number | undefined;
      const land = landing.then((landed) => {
        slot = landed.slot;
      });
      const advance = () => {
        genesis.advanceTime();
        return slot;
      };
      await Promise.all([land, expect.poll(advance, PATIENTLY).toBeDefined()]);
      return BigInt(slot ?? 0);
    },
  };
}

type HookGenesis = Awaited<ReturnType<typeof startHookGenesis>>;

/** Follows and records the cluster as `serve` does, with the API and two API keys. */
export async function serveHooks(
  { rpcUrl, wsUrl, metadata, now, advanceTime }: HookGenesis,
  history: History,
  changes: HookSettings = {},
) {
  const config = {
    env: 'localnet' as const,
    rpcUrls: [new URL(rpcUrl)],
    wsUrls: [new URL(wsUrl)],
    registry: createLocalnetRegistry(metadata),
    history,
  };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const { cluster, stop } = openCluster(config, {
    ...settings,
    ...{ clock: now, log: silentLog, webhookPrivateAddresses: true },
    ...changes,
    timing: { ...TIMING, ...changes.timing },
  });
  let isStopped = false;
  const stopOnce = async () => {
    if (!isStopped) await stop();
    isStopped = true;
  };
  onTestFinished(stopOnce);
  const nextSlot = () => {
    advanceTime();
    return cluster.reader.at().slot;
  };
  /** Waits until state has reached a slot. */
  const reach = async (slot: bigint) =>
    await expect.poll(nextSlot, PATIENTLY).toBeGreaterThanOrEqual(slot);
  await reach(1n);
  const keys = [generateApiKey('a', null, 0), generateApiKey('b', null, 0)];
  const api = await startApi({
    clusters: createClusters([cluster]),
    clock: now,
    keys: createApiKeys(keys.map(({ record }) => record)),
  });
  const requestAs = (key: string) => async (method: string, path: string, body?: unknown) => {
    const headers = {
      ...(key !== '' && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return readJson(await fetch(`${api.url}${path}`, init));
  };
  const [request, requestOfOther] = keys.map(({ key }) => requestAs(key));
  if (request === undefined || requestOfOther === undefined) throw new Error('there are no keys');
  await expect.poll(async () => (await request('GET', '/hooks')).status, PATIENTLY).toBe(200);
  return { cluster, api, request, requestAs, requestOfOther, reach, stop: stopOnce };
}

export type HookApi = Awaited<ReturnType<typeof serveHooks>>;

export type CreatedHookBody = { readonly id: string; readonly secret: string };

/** Creates a hook and returns its id and secret. */
export async function addTestHook(
  { request }: Pick<HookApi, 'request'>,
  url: string,
  trigger: Readonly<Record<string, string>>,
): Promise<CreatedHookBody> {
  const created: JsonResponse = await request('POST', '/hooks', { url, trigger });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  return created.body as CreatedHookBody;
}
