import { join } from 'node:path';
import { CodedError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import type { RunningLocalnet } from '@tidegate/localnet';
import {
  type Clusters,
  createClusters,
  type Demo,
  type Env,
} from '../../clusters/served-clusters.ts';
import { createFileSource, createUrlSource } from '../../registry/document-source.ts';
import { loadRegistry } from '../../registry/load-registry.ts';
import { emptyRegistry, type Registry, withSeasons } from '../../registry/registry.ts';
import type { Embedded } from '../commands/localnet.ts';
import type { Config } from '../settings/settings.ts';
import { ownRegistry } from './localnet-registry.ts';
import { type ClusterPlan, type OpenCluster, openCluster } from './open-cluster.ts';
import { openHistoryOf } from './open-cluster-history.ts';
import { requireSamePlay } from './simulation-recorder.ts';

export type OpenClusters = {
  readonly clusters: Clusters;
  /** Undefined where no localnet is served. */
  readonly demo: Demo | undefined;
  stop(): Promise<void>;
};

type Opening = {
  readonly embedded: Embedded | undefined;
  readonly log: Logger;
  /** Those that were imported. */
  readonly seasons: () => readonly Season[];
};

/** Starts everything that is to be served; returns before state is loaded, `status` tells when it is. */
export async function openClusters(
  config: Config,
  { embedded, log, seasons }: Opening,
): Promise<OpenClusters> {
  const registry = await openRegistry(config, log);
  const [localnet, ownHistory] = await Promise.all([embedded?.started, embedded?.history]);
  if (localnet !== undefined && ownHistory !== undefined) {
    await requireSamePlay(ownHistory, localnet.plan);
  }
  const plans = [primaryPlan(config, localnet, registry), ...otherPlans(config, registry)];
  const settings = { ...config, clock: Date.now, log };
  const opened: OpenCluster[] = [];
  for (const [index, plan] of plans.entries()) {
    const history =
      (index === 0 ? ownHistory : undefined) ?? (await openHistoryOf(config, plan.env, log));
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

function demoOf({ rpcUrl, wsUrl, facts, keys }: RunningLocalnet): Demo {
  return { rpcUrl, wsUrl, keys, ...facts.demo };
}

function primaryPlan(
  config: Config,
  localnet: RunningLocalnet | undefined,
  registry: Registry | undefined,
): ClusterPlan {
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
    registry: registry ?? ownRegistry(localnet.facts),
  };
}

function otherPlans(config: Config, registry: Registry = emptyRegistry): ClusterPlan[] {
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

export async function openRegistry(config: Config, log: Logger): Promise<Registry | undefined> {
  const { place } = config.registry;
  if (place === undefined) return undefined;
  const source = place.kind === 'file' ? createFileSource(place.path) : createUrlSource(place.url);
  const copyPath = join(config.dataDir, 'registry.json');
  return loadRegistry({ source, copyPath, now: Date.now(), log });
}
