import { expect, onTestFinished } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createRegistry } from '#server/registry/registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { startApi } from '../http/test-api.ts';
import { decodedSimulation, SIMULATION_END } from '../localnet/simulated-genesis.ts';

const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};

const SLOT_MS = 400;

type Simulation = ReturnType<typeof decodedSimulation>;

/** Accounts that differ from the simulation. */
export type ChangedAccounts = (
  genesis: Simulation,
) => readonly (readonly [
  Address,
  Simulation['accounts'] extends ReadonlyMap<Address, infer A> ? A : never,
])[];

/**
 * A local cluster read over JSON-RPC and served as by `serve`. Slots advance only until it is
 * loaded.
 */
export async function startGenesisApi(seed = 'tidegate', changed: ChangedAccounts = () => []) {
  const genesis = decodedSimulation(seed);
  const { metadata } = genesis;
  const accounts = new Map([...genesis.accounts, ...changed(genesis)]);
  const cluster = createLocalCluster({ accounts, origin: SIMULATION_END, seed });
  let ms = Number(SIMULATION_END.unix) * 1000;
  const now = () => ms;
  const localnet = new Localnet({ cluster, now, log: silentLog });
  const { rpcUrl, wsUrl } = await localnet.addNode(0);
  onTestFinished(() => localnet.stop());
  const { markets, stakePools, privateCreditVaults, tokens, seasons } = metadata;
  const plan = {
    env: 'localnet' as const,
    rpcUrls: [new URL(rpcUrl)],
    wsUrls: [new URL(wsUrl)],
    registry: createRegistry({
      markets,
      stakePools,
      privateCreditVaults,
      tokenLabels: tokens,
      seasons,
    }),
  };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const opened = openCluster(plan, { ...settings, clock: now, log: silentLog, timing: TIMING });
  onTestFinished(() => opened.stop());
  const advanceTime = (passedMs = SLOT_MS) => {
    ms += passedMs;
    localnet.tick();
  };
  const loaded = () => {
    advanceTime();
    return opened.cluster.reader.at().slot;
  };
  await expect.poll(loaded, { interval: 25 }).toBeGreaterThan(0n);
  const api = await startApi({ clusters: createClusters([opened.cluster]), clock: now });
  const node = { rpcUrl, wsUrl, localnet };
  return { api, genesis, metadata, cluster: opened.cluster, ...node, advanceTime, now };
}
