import type { Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { configuredRules } from '../../cli/settings/program-releases.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { createLoadReporter } from '../../cli/terminal/progress-reporter.ts';
import { rulesOfCluster } from '../../clusters/cluster-rules.ts';
import {
  type ClusterAliases,
  type ClusterName,
  type Clusters,
  createClusters,
  type Demo,
} from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import type { FeedSink } from '../../feed/feed-transport.ts';
import type { History } from '../../history/open-history.ts';
import { type RegistryDocument, withSeasons } from '../../registry/registry.ts';
import type { ServedLocalnet } from '../../workers/worker-requests.ts';
import type { EmbeddedLocalnet } from '../localnet/embedded-localnet.ts';
import { createLocalnetRegistry, readLocalnetRegistry } from '../localnet/localnet-registry.ts';
import {
  type HistoryConfig,
  openReplica,
  openServedHistory,
} from '../recording/open-cluster-history.ts';
import type { ClusterConfig, ClusterSettings } from './cluster-config.ts';
import { loadConfiguredRegistry, selectRegistry } from './cluster-registry.ts';
import { openCluster, type RunningCluster } from './open-cluster.ts';

export type RunningClusters = {
  readonly clusters: Clusters;
  /** Undefined if no localnet is served. */
  readonly demo: Demo | undefined;
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
  /** Where the state of a cluster is published. */
  readonly feedOf?: ((env: ClusterName) => FeedSink) | undefined;
  /** Receives the history of a cluster when it is open. */
  readonly onHistory?: ((env: ClusterName, history: History) => void) | undefined;
};

/** Settings, and what observes queries and calls. */
export type RoleConfig = Config & HistoryConfig & Pick<ClusterSettings, 'onRpcCall'>;

/** Opens all configured clusters. Returns before their state is loaded; see `status`. */
export async function openClusters(
  config: RoleConfig,
  { embedded, envAliases, log, seasons, feedOf, onHistory }: OpenOptions,
): Promise<RunningClusters> {
  const document = await loadConfiguredRegistry(config, log);
  const [localnet, localnetHistory] = await Promise.all([embedded?.started, embedded?.history]);
  const clusterConfigs = await listClusterConfigs(config, { localnet, document, log, seasons });
  const settings = { ...config, clock: Date.now, log };
  const opened: RunningCluster[] = [];
  for (const [index, clusterConfig] of clusterConfigs.entries()) {
    const { env } = clusterConfig;
    const isSimulated = index === 0 && localnetHistory !== undefined;
    const historyMode = isSimulated ? 'full' : config.historyMode;
    const stored = isSimulated
      ? { history: localnetHistory, replica: openReplica(config, env, log) }
      : await openStored(config, env, log);
    if (stored.history !== undefined) onHistory?.(env, stored.history);
    const onProgress = createLoadReporter(env);
    const feed = feedOf?.(env);
    opened.push(
      openCluster({ ...clusterConfig, ...stored, feed }, { ...settings, historyMode, onProgress }),
    );
  }
  return {
    ...joinClusters(opened, envAliases),
    demo: localnet && demoOf(localnet),
    async stop() {
      await Promise.all(opened.map(({ stop }) => stop()));
      await localnet?.stop();
    },
  };
}

/** The history of a cluster and its replica; neither if nothing is recorded. */
async function openStored(
  config: RoleConfig,
  env: ClusterName,
  log: Logger,
): Promise<Pick<ClusterConfig, 'history' | 'replica'>> {
  if (config.historyMode === 'off') return {};
  const history = await openServedHistory(config, env, log);
  return { history, replica: openReplica(config, env, log) };
}

/** Running clusters as one; the first is the primary one. */
export function joinClusters(
  opened: readonly RunningCluster[],
  envAliases: ClusterAliases,
): RunningClusters {
  const [first, ...rest] = opened;
  if (first === undefined) throw new CodedError('INTERNAL', {});
  const failed = Promise.race(opened.map((each) => each.failed));
  // it may reject before the caller waits for it
  failed.catch(() => undefined);
  return {
    clusters: createClusters([first.cluster, ...rest.map(({ cluster }) => cluster)], envAliases),
    demo: undefined,
    failed,
    stop: async () => void (await Promise.all(opened.map(({ stop }) => stop()))),
  };
}

export function demoOf({ rpcUrl, wsUrl, metadata, keysFolder }: ServedLocalnet): Demo {
  return { addresses: { rpcUrl, wsUrl, ...metadata.demo }, keysFolder };
}

/** The configured clusters, the primary one first, with the imported seasons in their registries. */
export async function listClusterConfigs(
  config: Config,
  sources: PrimarySources & Pick<OpenOptions, 'seasons'>,
): Promise<ClusterConfig[]> {
  const primary = await primaryConfig(config, sources);
  return [primary, ...secondaryConfigs(config, sources.document)].map((each) => ({
    ...each,
    registry: withSeasons(each.registry, sources.seasons),
  }));
}

type PrimarySources = {
  readonly localnet: ServedLocalnet | undefined;
  readonly document: RegistryDocument | undefined;
  readonly log: Logger;
};

async function primaryConfig(
  config: Config,
  { localnet, document, log }: PrimarySources,
): Promise<ClusterConfig> {
  const hasFixedRules = config.programReleases !== '';
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
    const rules = { rulesAt: configuredRules(config, env), hasFixedRules };
    return { env, rpcUrls, wsUrls, ...geyser, registry, ...rules };
  }
  return {
    env: 'localnet',
    rpcUrls: [new URL(localnet.rpcUrl)],
    wsUrls: [new URL(localnet.wsUrl)],
    registry: document?.registry ?? createLocalnetRegistry(localnet.metadata),
    rulesAt: configuredRules(config, 'localnet'),
    hasFixedRules,
    isEmbedded: true,
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
      rulesAt: rulesOfCluster(env),
    }));
}

/** Most providers serve JSON-RPC and WebSocket under one address. */
function socketUrl(url: URL): URL {
  const socket = new URL(url);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return socket;
}
