import { join } from 'node:path';
import { CodedError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import type { RunningLocalnet } from '@tidegate/localnet';
import {
  type ClusterName,
  type Clusters,
  createClusters,
  type DemoAddresses,
} from '../../clusters/served-clusters.ts';
import { createFileSource, createUrlSource } from '../../registry/document-source.ts';
import { loadRegistry } from '../../registry/load-registry.ts';
import { emptyRegistry, type Registry, withSeasons } from '../../registry/registry.ts';
import type { EmbeddedLocalnet } from '../commands/localnet.ts';
import type { Config } from '../settings/settings.ts';
import { createLocalnetRegistry } from './localnet-registry.ts';
import { type ClusterConfig, openCluster, type RunningCluster } from './open-cluster.ts';
import { openClusterHistory } from './open-cluster-history.ts';
import { requireSameSimulation } from './simulation-recorder.ts';

export type RunningClusters = {
  readonly clusters: Clusters;
  /** Undefined where no localnet is served. */
  readonly demo: DemoAddresses | undefined;
  stop(): Promise<void>;
};

type Opening = {
  readonly embedded: EmbeddedLocalnet | undefined;
  readonly log: Logger;
  /** Those that were imported. */
  readonly seasons: () => readonly Season[];
};

/** Starts everything that is to be served; returns before state is loaded, `status` tells when it is. */
export async function openClusters(
  config: Config,
  { embedded, log, seasons }: Opening,
): Promise<RunningClusters> {
  const registry = await loadConfiguredRegistry(config, log);
  const [localnet, ownHistory] = await Promise.all([embedded?.started, embedded?.history]);
  if (localnet !== undefined && ownHistory !== undefined) {
    await requireSameSimulation(ownHistory, localnet.plan);
  }
  const plans = [primaryPlan(config, localnet, registry), ...otherPlans(config, registry)];
  const settings = { ...config, clock: Date.now, log };
  const opened: RunningCluster[] = [];
  for (const [index, plan] of plans.entries()) {
    const history =
      (index === 0 ? ownHistory : undefined) ?? (await openClusterHistory(config, plan.env, log));
    const registry = withSeasons(plan.registry, seasons);
    opened.push(openCluster({ ...plan, registry, history }, settings));
  }
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

function demoOf({ rpcUrl, wsUrl, facts, keys }: RunningLocalnet): DemoAddresses {
  return { rpcUrl, wsUrl, keys, ...facts.demo };
}

function primaryPlan(
  config: Config,
  localnet: RunningLocalnet | undefined,
  registry: Registry | undefined,
): ClusterConfig {
  if (localnet === undefined) {
    const { cluster: env, rpcUrl: rpcUrls, wsUrl } = config;
    const wsUrls = wsUrl === 'none' ? [] : wsUrl.length > 0 ? wsUrl : rpcUrls.map(socketUrl);
    const [url] = config.geyserUrl;
    const token = config.geyserToken === '' ? {} : { token: config.geyserToken };
    const geyser = url === undefined ? {} : { geyser: { url, ...token } };
    return { env, rpcUrls, wsUrls, ...geyser, registry: registry ?? emptyRegistry };
  }
  return {
    env: 'localnet',
    rpcUrls: [new URL(localnet.rpcUrl)],
    wsUrls: [new URL(localnet.wsUrl)],
    registry: registry ?? createLocalnetRegistry(localnet.facts),
  };
}

function otherPlans(config: Config, registry: Registry = emptyRegistry): ClusterConfig[] {
  const others: [ClusterName, readonly URL[]][] = [
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

export async function loadConfiguredRegistry(
  config: Config,
  log: Logger,
): Promise<Registry | undefined> {
  const { place } = config.registry;
  if (place === undefined) return undefined;
  const source = place.kind === 'file' ? createFileSource(place.path) : createUrlSource(place.url);
  const copyPath = join(config.dataDir, 'registry.json');
  return loadRegistry({ source, copyPath, now: Date.now(), log });
}
