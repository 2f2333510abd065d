import { CodedError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import type { RunningLocalnet } from '@tidegate/localnet';
import {
  type ClusterAliases,
  type Clusters,
  createClusters,
  type DemoAddresses,
} from '../../clusters/served-clusters.ts';
import { type RegistryDocument, withSeasons } from '../../registry/registry.ts';
import type { Config } from '../settings/settings.ts';
import { createLoadReporter } from '../terminal/progress-reporter.ts';
import { loadConfiguredRegistry, selectRegistry } from './cluster-registry.ts';
import type { EmbeddedLocalnet } from './embedded-localnet.ts';
import { createLocalnetRegistry, readLocalnetRegistry } from './localnet-registry.ts';
import { type ClusterConfig, openCluster, type RunningCluster } from './open-cluster.ts';
import { openClusterHistory } from './open-cluster-history.ts';
import { requireSameSimulation } from './simulation-recorder.ts';

export type RunningClusters = {
  readonly clusters: Clusters;
  /** Undefined if no localnet is served. */
  readonly demo: DemoAddresses | undefined;
  /** Rejects if the settings of a cluster do not fit its endpoints. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

type OpenOptions = {
  readonly embedded: EmbeddedLocalnet | undefined;
  readonly envAliases: ClusterAliases;
  readonly log: Logger;
  /** The imported seasons. */
  readonly seasons: () => readonly Season[];
};

/** Opens all configured clusters. Returns before their state is loaded; see `status`. */
export async function openClusters(
  config: Config,
  { embedded, envAliases, log, seasons }: OpenOptions,
): Promise<RunningClusters> {
  const document = await loadConfiguredRegistry(config, log);
  const [localnet, localnetHistory] = await Promise.all([embedded?.started, embedded?.history]);
  if (localnet !== undefined && localnetHistory !== undefined) {
    await requireSameSimulation(localnetHistory, localnet.plan);
  }
  const primary = await primaryConfig(config, { localnet, document, log });
  const clusterConfigs = [primary, ...secondaryConfigs(config, document)];
  const settings = { ...config, clock: Date.now, log };
  const opened: RunningCluster[] = [];
  for (const [index, clusterConfig] of clusterConfigs.entries()) {
    const history =
      (index === 0 ? localnetHistory : undefined) ??
      (await openClusterHistory(config, clusterConfig.env, log));
    const registry = withSeasons(clusterConfig.registry, seasons);
    const onProgress = createLoadReporter(clusterConfig.env);
    opened.push(openCluster({ ...clusterConfig, registry, history }, { ...settings, onProgress }));
  }
  const [first, ...rest] = opened;
  if (first === undefined) throw new CodedError('INTERNAL', {});
  const failed = Promise.race(opened.map((each) => each.failed));
  // it may reject before the caller waits for it
  failed.catch(() => undefined);
  return {
    clusters: createClusters([first.cluster, ...rest.map(({ cluster }) => cluster)], envAliases),
    demo: localnet && demoAddresses(localnet),
    failed,
    async stop() {
      await Promise.all(opened.map(({ stop }) => stop()));
      await localnet?.stop();
    },
  };
}

function demoAddresses({ rpcUrl, wsUrl, metadata, keysFolder }: RunningLocalnet): DemoAddresses {
  return { rpcUrl, wsUrl, keys: keysFolder, ...metadata.demo };
}

type PrimarySources = {
  readonly localnet: RunningLocalnet | undefined;
  readonly document: RegistryDocument | undefined;
  readonly log: Logger;
};

async function primaryConfig(
  config: Config,
  { localnet, document, log }: PrimarySources,
): Promise<ClusterConfig> {
  if (localnet === undefined) {
    const { cluster: env, rpcUrl: rpcUrls, wsUrl } = config;
    const wsUrls = wsUrl === 'none' ? [] : wsUrl.length > 0 ? wsUrl : rpcUrls.map(socketUrl);
    const [url] = config.geyserUrl;
    const token = config.geyserToken === '' ? {} : { token: config.geyserToken };
    const geyser = url === undefined ? {} : { geyser: { url, ...token } };
    const registry =
      env === 'localnet' && document === undefined
        ? await readLocalnetRegistry(rpcUrls, log)
        : selectRegistry(env, document);
    return { env, rpcUrls, wsUrls, ...geyser, registry };
  }
  return {
    env: 'localnet',
    rpcUrls: [new URL(localnet.rpcUrl)],
    wsUrls: [new URL(localnet.wsUrl)],
    registry: document?.registry ?? createLocalnetRegistry(localnet.metadata),
  };
}

function secondaryConfigs(config: Config, document: RegistryDocument | undefined): ClusterConfig[] {
  const others = [
    { env: 'mainnet-beta', rpcSetting: 'RPC_URL_MAINNET', rpcUrls: config.rpcUrlMainnet },
    { env: 'devnet', rpcSetting: 'RPC_URL_DEVNET', rpcUrls: config.rpcUrlDevnet },
  ] as const;
  return others
    .filter(({ rpcUrls }) => rpcUrls.length > 0)
    .map(({ env, rpcSetting, rpcUrls }) => ({
      env,
      rpcSetting,
      rpcUrls,
      wsUrls: rpcUrls.map(socketUrl),
      registry: selectRegistry(env, document),
    }));
}

/** Most providers serve JSON-RPC and WebSocket under one address. */
function socketUrl(url: URL): URL {
  const socket = new URL(url);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return socket;
}
