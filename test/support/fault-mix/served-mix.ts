import { onTestFinished } from 'vitest';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { type RunningApi, startApi } from '../http/test-api.ts';
import type { ActiveCluster } from '../proof/active-cluster.ts';
import { REQUEST_LIMIT_MS } from './http-faults.ts';

type Node = { readonly rpcUrl: string; readonly wsUrl: string };

/** How often state is compared with the chain in these tests. */
const DRIFT = { programsMs: 150, usersMs: 150, recheckMs: 50 };

/** Timers run in real time, in which the cluster is eight times as fast. */
const TIMING = {
  source: {
    timeoutMs: REQUEST_LIMIT_MS,
    scanTimeoutMs: REQUEST_LIMIT_MS,
    probeMs: 100,
    retryMs: 20,
    cooldownMs: 300,
    ladder: { failAfterMs: 2_000, firstRetryMs: 300, maxRetryMs: 1_000, stableMs: 5_000 },
  },
  indexer: {
    tickMs: 20,
    retryMs: 20,
    stallMs: 2_000,
    pollMs: 200,
    pollUsersMs: 400,
    rescanObligationsMs: 200,
    rescanOthersMs: 1_000,
    // the usual share of time would be minutes on a busy machine
    readCost: 2,
  },
  drift: DRIFT,
};

/** Seconds of the cluster's clock. */
const POLL_SECONDS = 1;

/** A server that follows and records the cluster as `serve` does. Stops with the test. */
export async function serveMix(
  { metadata, now }: ActiveCluster,
  nodes: readonly Node[],
  history: History | undefined,
): Promise<{ readonly api: RunningApi; readonly cluster: Cluster }> {
  const config = {
    env: 'localnet' as const,
    rpcUrls: nodes.map(({ rpcUrl }) => new URL(rpcUrl)),
    wsUrls: nodes.map(({ wsUrl }) => new URL(wsUrl)),
    registry: createLocalnetRegistry(metadata),
    ...(history && { history }),
  };
  const opened = openCluster(config, {
    commitment: 'confirmed',
    maxLagSlots: 30,
    obligations: 'all',
    pollSeconds: POLL_SECONDS,
    proofCpuPercent: 0,
    clock: now,
    log: silentLog,
    timing: TIMING,
  });
  onTestFinished(() => opened.stop());
  const { cluster } = opened;
  return { cluster, api: await startApi({ clusters: createClusters([cluster]), clock: now }) };
}
