import { join } from 'node:path';
import {
  type Cluster,
  type ClusterStatus,
  type Clusters,
  createClusters,
  type Demo,
  type Env,
} from '../api/clusters.ts';
import { CodedError, describeFailure } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { type ClusterSource, createClusterSource } from '../chain/cluster-source.ts';
import { createIndexer, type Indexer, type IndexerStatus } from '../indexer/indexer.ts';
import type { LocalnetSettings, RunningLocalnet } from '../localnet/start-localnet.ts';
import { createFileSource, createUrlSource } from '../registry/document-source.ts';
import { loadRegistry } from '../registry/load-registry.ts';
import { createRegistry, emptyRegistry, type Registry } from '../registry/registry.ts';
import { ClusterState } from '../state/cluster-state.ts';
import type { Config } from './config.ts';
import { openLocalnet } from './localnet.ts';
import { logUntil } from './log-until.ts';
import { createProgressLine } from './progress-line.ts';

export type OpenClusters = {
  readonly clusters: Clusters;
  /** Undefined where no localnet is served. */
  readonly demo: Demo | undefined;
  stop(): Promise<void>;
};

type Plan = {
  readonly env: Env;
  readonly rpcUrls: readonly URL[];
  readonly wsUrls: readonly URL[];
  readonly geyser?: { readonly url: URL; readonly token?: string };
  readonly registry: Registry;
};

/** Of the first block: what says which cluster an endpoint really serves. */
const GENESIS: Partial<Record<Env, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};

/** Between two looks at a cluster that does not answer. */
const RETRY_MS = 2_000;

/** How often a caller who waits for a slot looks for it. */
const LOOK_MS = 20;

/** Starts everything that is to be served; returns before state is loaded, `status` tells when it is. */
export async function openClusters(config: Config, log: Logger): Promise<OpenClusters> {
  const registry = await openRegistry(config, log);
  const localnet =
    config.rpcUrl.length === 0 ? await openLocalnet(localnetSettings(config), log) : undefined;
  const plans = [primaryPlan(config, localnet, registry), ...otherPlans(config, registry)];
  const opened = plans.map((plan) => openCluster(plan, config, log));
  const [first, ...rest] = opened;
  if (first === undefined) throw new CodedError('INTERNAL', {});
  return {
    clusters: createClusters([first.cluster, ...rest.map(({ cluster }) => cluster)]),
    demo: localnet && demoOf(localnet),
    async stop() {
      await Promise.all(opened.map(({ stop }) => stop()));
      await localnet?.stop();
    },
  };
}

const localnetSettings = ({ localnetSeed, localnetRpcPort }: Config): LocalnetSettings => ({
  seed: localnetSeed,
  port: localnetRpcPort,
});

function demoOf({ rpcUrl, wsUrl, facts }: RunningLocalnet): Demo {
  return { rpcUrl, wsUrl, ...facts.demo };
}

function primaryPlan(
  config: Config,
  localnet: RunningLocalnet | undefined,
  registry: Registry | undefined,
): Plan {
  if (localnet === undefined) {
    const { cluster: env, rpcUrl: rpcUrls, wsUrl } = config;
    const wsUrls = wsUrl === 'none' ? [] : wsUrl.length > 0 ? wsUrl : rpcUrls.map(socketUrl);
    const [url] = config.geyserUrl;
    const token = config.geyserToken === '' ? {} : { token: config.geyserToken };
    const geyser = url === undefined ? {} : { geyser: { url, ...token } };
    return { env, rpcUrls, wsUrls, ...geyser, registry: registry ?? emptyRegistry };
  }
  const { markets, stakePools, privateCreditVaults, tokens } = localnet.facts;
  const own = { markets, stakePools, privateCreditVaults, tokenLabels: tokens, seasons: [] };
  return {
    env: 'localnet',
    rpcUrls: [new URL(localnet.rpcUrl)],
    wsUrls: [new URL(localnet.wsUrl)],
    registry: registry ?? createRegistry(own),
  };
}

function otherPlans(config: Config, registry: Registry = emptyRegistry): Plan[] {
  const others: [Env, readonly URL[]][] = [
    ['mainnet-beta', config.rpcUrlMainnet],
    ['devnet', config.rpcUrlDevnet],
  ];
  return others
    .filter(([, rpcUrls]) => rpcUrls.length > 0)
    .map(([env, rpcUrls]) => ({ env, rpcUrls, wsUrls: rpcUrls.map(socketUrl), registry }));
}

/** Most providers serve both under one address. */
function socketUrl(url: URL): URL {
  const socket = new URL(url);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return socket;
}

async function openRegistry(config: Config, log: Logger): Promise<Registry | undefined> {
  const { place } = config.registry;
  if (place === undefined) return undefined;
  const source = place.kind === 'file' ? createFileSource(place.path) : createUrlSource(place.url);
  const copyPath = join(config.dataDir, 'registry.json');
  return loadRegistry({ source, copyPath, now: Date.now(), log });
}

function openCluster(plan: Plan, config: Config, serverLog: Logger) {
  let isStopped = false;
  const log = logUntil(() => isStopped, serverLog);
  const { commitment, maxLagSlots, obligations } = config;
  const source = createClusterSource({
    rpcUrls: plan.rpcUrls,
    wsUrls: plan.wsUrls,
    geyser: plan.geyser,
    commitment,
    clock: Date.now,
    random: Math.random,
    log,
  });
  const state = new ClusterState({ log });
  const onProgress = createProgressLine(plan.env);
  const indexer = createIndexer({
    ...{ source, state, mode: obligations, clock: Date.now, log },
    onProgress,
  });
  const cluster: Cluster = {
    env: plan.env,
    commitment,
    reader: state,
    registry: plan.registry,
    status: () => statusOf({ indexer, source, state, maxLagSlots }),
    updatedAt: () => Number(state.at().unix) * 1000,
    async ensureWallet(owner) {
      await Promise.all([indexer.ensureWallet(owner), indexer.ensureShares(owner)]);
    },
    ensureObligation: (address) => indexer.ensureObligation(address),
    reaches: (slot, timeoutMs) => reaches(() => state.at().slot >= slot, timeoutMs),
  };
  const start = async (): Promise<void> => {
    while (!isStopped && !(await isRightCluster(plan.env, source, log))) await pause(RETRY_MS);
    if (!isStopped) await indexer.start();
  };
  start().catch((error: unknown) => log.error({ env: plan.env, error }, 'cluster not followed'));
  return {
    cluster,
    stop: async () => {
      isStopped = true;
      await indexer.stop();
      source.close();
    },
  };
}

/** An endpoint of another cluster would answer everything, wrongly: nothing is served of it. */
async function isRightCluster(env: Env, source: ClusterSource, log: Logger): Promise<boolean> {
  const expected = GENESIS[env];
  if (expected === undefined) return true;
  try {
    const found = await source.genesisHash();
    if (found === expected) return true;
    log.error({ env, found, expected }, 'the endpoints serve another cluster; set CLUSTER');
  } catch (error) {
    log.warn({ env, reason: describeFailure(error) }, 'the cluster does not answer yet');
  }
  return false;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Parts = {
  readonly indexer: Indexer;
  readonly source: ClusterSource;
  readonly state: ClusterState;
  readonly maxLagSlots: number;
};

function statusOf({ indexer, source, state, maxLagSlots }: Parts): ClusterStatus {
  const { ready, slot, lagSlots } = indexer.status();
  const lag = Number(lagSlots);
  return {
    waitingFor: waitingFor(indexer.status(), maxLagSlots),
    slot: ready ? slot : undefined,
    lagSlots: lag,
    endpoints: source.status().requests.map(({ name, healthy, slot: newest }) => ({
      name,
      healthy,
      slot: newest,
    })),
    undecodedAccounts: state.figures().unreadable,
  };
}

/** What keeps a cluster from being served as it is now. */
function waitingFor(status: IndexerStatus, maxLagSlots: number): string | undefined {
  const { loading, ready, stalled, lagSlots, progress } = status;
  if (loading || !ready) return `loading, ${progress.done} of ${progress.total} read`;
  if (stalled) return 'new slots';
  return lagSlots > BigInt(maxLagSlots) ? `${lagSlots} slots to catch up` : undefined;
}

async function reaches(isReached: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!isReached()) {
    if (performance.now() >= end) return false;
    await pause(LOOK_MS);
  }
  return true;
}
