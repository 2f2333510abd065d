import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { createApp } from '../../app.ts';
import { seasonFilePath, watchSeasons } from '../../cli/files/season-file.ts';
import type { ServerLog } from '../../cli/logging/server-log.ts';
import { readPackageVersion } from '../../cli/settings/package-version.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { StartProgress } from '../../clusters/cluster-status.ts';
import { ClusterTokens } from '../../clusters/cluster-tokens.ts';
import type { ClusterAliases } from '../../clusters/served-clusters.ts';
import { NOT_STARTED, StartingClusters } from '../../clusters/starting-clusters.ts';
import { CodedError } from '../../errors.ts';
import { closeServer } from '../../http/close-server.ts';
import type { LimitCounters } from '../../http/limits/limit-counters.ts';
import type { MetricValues } from '../../http/process-metrics.ts';
import { Shutdown } from '../../http/shutdown.ts';
import { createFileSource, createUrlSource } from '../../registry/document-source.ts';
import { TokenFeed } from '../../registry/token-feed.ts';
import type { Telemetry } from '../../telemetry/open-telemetry.ts';
import { openClusters, type RoleConfig, type RunningClusters } from '../clusters/open-clusters.ts';
import type { EmbeddedLocalnet } from '../localnet/embedded-localnet.ts';
import { drainMsOf, exitAtOnce, watchSignals } from './end-signals.ts';
import { announcePort, openFreePort, toListenError } from './free-port.ts';
import { openAccessControl } from './open-access-control.ts';

export type ServeOptions = {
  readonly serverLog: ServerLog;
  /** Undefined if RPC_URL is set. */
  readonly embedded: EmbeddedLocalnet | undefined;
  readonly envAliases: ClusterAliases;
  /** Undefined if nothing is exported. */
  readonly telemetry: Telemetry | undefined;
  /** How the clusters are opened. By default this process follows and records them. */
  readonly openRole?: OpenRole;
  /** What `/ready` says while no cluster is open; by default that it is starting. */
  readonly idle?: StartProgress;
  /** If the process is one of several on one port. */
  readonly worker?: WorkerLinks;
};

/** What a worker shares with the other processes of its server. */
export type WorkerLinks = {
  readonly counters: LimitCounters;
  readonly collectMetrics: () => Promise<readonly MetricValues[]>;
  /** Receives a function that returns the metrics of this process. */
  readonly onMetrics: (read: () => readonly MetricValues[]) => void;
  /** How far the start of the primary cluster is. */
  readonly progress: () => StartProgress;
  readonly announce: typeof announceStart;
};

/** Opens the clusters of a role and passes them to `clusters`, at once or later. */
export type OpenRole = (
  config: RoleConfig,
  sources: {
    readonly clusters: StartingClusters;
    readonly envAliases: ClusterAliases;
    readonly log: Logger;
    readonly seasons: () => readonly Season[];
  },
) => Promise<Pick<RunningClusters, 'demo' | 'failed' | 'stop'>>;

/** Serves the API until a signal, then completes open requests. */
export async function serveApi(config: Config, options: ServeOptions): Promise<void> {
  try {
    await serveUntilSignal(config, options);
  } catch (error) {
    await options.embedded?.cancel();
    throw error;
  }
}

async function serveUntilSignal(config: Config, options: ServeOptions): Promise<void> {
  const { serverLog, embedded, envAliases, telemetry, worker } = options;
  const { log, logRequest } = serverLog;
  const tokenFeed = await openTokenFeed(config, log);
  const seasons = await watchSeasons(seasonFilePath(config), log);
  const access = await openAccessControl(config, { log, counters: worker?.counters });
  const clusters = createStartingClusters(config, options);
  let open: Pick<RunningClusters, 'demo' | 'failed' | 'stop'> | undefined;
  const { openRole = followClusters(embedded) } = options;
  const shutdown = new Shutdown();
  const app = createApp({
    shutdown,
    version: readPackageVersion(),
    tokens: new ClusterTokens(clusters, tokenFeed),
    keys: access.keys,
    limits: access.limits,
    ...httpSettingsOf(config),
    clusters,
    demo: () => open?.demo,
    clock: Date.now,
    log,
    logRequest,
    tracer: telemetry?.tracer,
    ...metricLinks(options),
  });
  /** Resolves when the clusters are open. Rejects if one of them fails. */
  const openAll = async (): Promise<void> => {
    const sources = { clusters, envAliases, log, seasons: () => seasons.content };
    const { onQuery, onRpcCall } = telemetry ?? {};
    open = await openRole({ ...config, onQuery, onRpcCall }, sources);
  };
  let opening = Promise.resolve();
  // the primary process of a worker decides
  const signals = watchSignals(worker === undefined ? exitAtOnce : () => undefined);

  try {
    await listen(app, config, options);
    const url = urlOf(app);
    log.info({ url }, 'listening');
    opening = (worker?.announce ?? announceStart)(url, openAll());
    const signal = await Promise.race([signals.first, opening.then(() => open?.failed)]);
    log.info({ signal }, 'closing');
    await closeServer(app, shutdown, { drained: drain(drainMsOf(signal, config)) });
    log.info({ signal }, 'closed');
  } catch (error) {
    await closeServer(app, shutdown, { drained: undefined });
    throw error;
  } finally {
    tokenFeed?.stop();
    await access.stop();
    seasons.stop();
    if (open === undefined) await embedded?.cancel();
    await opening.catch(() => undefined);
    await open?.stop();
    signals.stop();
  }
}

const metricLinks = ({ telemetry, worker }: ServeOptions) => ({
  collectMetrics: worker?.collectMetrics,
  onMetrics(read: () => readonly MetricValues[]): void {
    telemetry?.exportMetrics?.(read);
    worker?.onMetrics(read);
  },
});

const drain = (ms: number): Promise<void> | undefined => (ms === 0 ? undefined : sleep(ms));

const httpSettingsOf = ({ trustedProxies, strictStatuses, ...config }: Config) => ({
  trustedProxies,
  strictStatuses,
  tokenImages: config.tokenImages,
  aliases: { marketSegments: config.marketSegmentAliases, legacyPaths: config.legacyPaths },
  streamSettings: { maxStreams: config.streams, maxPerClient: config.streamsPerClient },
});

const followClusters =
  (embedded: EmbeddedLocalnet | undefined): OpenRole =>
  async (config, { clusters, ...sources }) => {
    const open = await openClusters(config, { ...sources, embedded });
    clusters.open(open.clusters);
    return open;
  };

function createStartingClusters(
  { cluster, rpcUrl }: Config,
  { embedded, worker, idle = NOT_STARTED }: ServeOptions,
): StartingClusters {
  const progress = worker?.progress ?? embedded?.progress;
  if (rpcUrl.length > 0 || progress === undefined) return new StartingClusters(cluster, () => idle);
  return new StartingClusters('localnet', progress);
}

type App = ReturnType<typeof createApp>;

/**
 * The feed of `TOKENS`; undefined if it is not set. It serves its last good copy at once. Without a
 * copy, a file must be readable at the start; a URL may become available later.
 */
async function openTokenFeed(config: Config, log: Logger): Promise<TokenFeed | undefined> {
  const location = config.tokens;
  if (location.kind === 'embedded') return undefined;
  const source =
    location.kind === 'file' ? createFileSource(location.path) : createUrlSource(location.url);
  const feed = new TokenFeed({
    source,
    format: config.tokensFormat,
    copyPath: join(config.dataDir, 'tokens.json'),
    pollMs: config.tokensPollSeconds * 1000,
    clock: Date.now,
    log,
  });
  const firstLoad = feed.start().catch((error: unknown) => {
    const accepts = `a usable token list (${formatError(error)})`;
    const value = location.kind === 'file' ? location.path : source.label;
    throw new CodedError('INVALID_SETTING', { name: 'TOKENS', value, accepts });
  });
  if (location.kind === 'file') await firstLoad;
  return feed;
}

/** A role is one of several processes behind a proxy, which expects it on its port. */
async function listen(app: App, config: Config, { openRole }: ServeOptions): Promise<void> {
  const isDefault = openRole === undefined && config.unset.has('port');
  const search = { port: config.port, isDefault, onMoved: announcePort };
  await openFreePort(search, async (port) => {
    const address = { host: config.host, port };
    await app.listen(address).catch((error: unknown) => {
      throw toListenError(error, address);
    });
  });
}

function urlOf(app: App): string {
  const [address] = app.addresses();
  if (address === undefined || typeof address === 'string') throw new CodedError('INTERNAL', {});
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** A start that takes longer is announced before it completes, so that its progress can be opened. */
const SHORT_START_MS = 2_000;

/** Writes the URL for whoever has started the server. */
export async function announceStart(url: string, started: Promise<void>): Promise<void> {
  const write = (line: string): boolean => process.stderr.write(`${line}\n`);
  const timer = setTimeout(() => write(`Tidegate is starting at ${url}`), SHORT_START_MS);
  await started.finally(() => clearTimeout(timer));
  write(`Tidegate is at ${url} (reference: ${url}/docs)`);
}
