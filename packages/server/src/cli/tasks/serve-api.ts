import { once } from 'node:events';
import { join } from 'node:path';
import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { createApp } from '../../app.ts';
import type { StartProgress } from '../../clusters/cluster-status.ts';
import { ClusterTokens } from '../../clusters/cluster-tokens.ts';
import type { ClusterAliases } from '../../clusters/served-clusters.ts';
import { NOT_STARTED, StartingClusters } from '../../clusters/starting-clusters.ts';
import type { LimitLedger } from '../../http/limits/limit-ledger.ts';
import { createFileSource, createUrlSource } from '../../registry/document-source.ts';
import { TokenFeed } from '../../registry/token-feed.ts';
import type { Telemetry } from '../../telemetry/open-telemetry.ts';
import type { EmbeddedLocalnet } from '../clusters/embedded-localnet.ts';
import { openClusters, type RoleConfig, type RunningClusters } from '../clusters/open-clusters.ts';
import { seasonFilePath, watchSeasons } from '../files/season-file.ts';
import type { ServerLog } from '../logging/server-log.ts';
import { readPackageVersion } from '../settings/package-version.ts';
import type { Config } from '../settings/settings.ts';
import { openAccessControl } from './open-access-control.ts';

/** Time for open requests after a signal. With the rest of the shutdown it stays below 10 s. */
const DRAIN_MS = 9_000;

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
  readonly ledger: LimitLedger;
  readonly collectMetrics: () => Promise<string>;
  /** Receives a function that returns the metrics of this process. */
  readonly onMetrics: (read: () => string) => void;
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
  const access = await openAccessControl(config, { log, ledger: worker?.ledger });
  const clusters = createStartingClusters(config, options);
  let open: Pick<RunningClusters, 'demo' | 'failed' | 'stop'> | undefined;
  const { openRole = followClusters(embedded) } = options;
  const app = createApp({
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
    collectMetrics: worker?.collectMetrics,
    onMetrics(read) {
      telemetry?.exportMetrics?.(read);
      worker?.onMetrics(read);
    },
  });
  /** Resolves when the clusters are open. Rejects if one of them fails. */
  const openAll = async (): Promise<void> => {
    const sources = { clusters, envAliases, log, seasons: () => seasons.content };
    const { onQuery, onRpcCall } = telemetry ?? {};
    open = await openRole({ ...config, onQuery, onRpcCall }, sources);
  };
  let opening = Promise.resolve();

  try {
    await listen(app, config);
    const url = urlOf(app);
    log.info({ url }, 'listening');
    opening = (worker?.announce ?? announceStart)(url, openAll());
    const failed = opening.then(() => open?.failed);
    const signals = [waitForSignal('SIGTERM'), waitForSignal('SIGINT')];
    const signal = await Promise.race([...signals, failed]);
    log.info({ signal }, 'closing');
    await closeWithTimeout(app);
    log.info({ signal }, 'closed');
  } catch (error) {
    await closeWithTimeout(app);
    throw error;
  } finally {
    tokenFeed?.stop();
    await access.stop();
    seasons.stop();
    if (open === undefined) await embedded?.cancel();
    await opening.catch(() => undefined);
    await open?.stop();
  }
}

const httpSettingsOf = ({ trustedProxies, strictStatuses, ...config }: Config) => ({
  trustedProxies,
  strictStatuses,
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

/** Closes connections that are still open after the drain time. */
async function closeWithTimeout(app: App): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(timer);
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

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EADDRINUSE') throw new CodedError('ADDRESS_IN_USE', { host, port }, error);
    const accepts = `an address of this machine and a port that it may listen on (${error.code})`;
    throw new CodedError('INVALID_SETTING', { name: 'HOST', value: `${host}:${port}`, accepts });
  }
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

export async function waitForSignal(signal: NodeJS.Signals): Promise<NodeJS.Signals> {
  await once(process, signal);
  return signal;
}
