import type { Season } from '@tidegate/core/views/rewards';
import type { RunningLocalnet } from '@tidegate/localnet';
import { createApp } from '../../app.ts';
import { createDeferred } from '../../chain/deferred.ts';
import { ClusterTokens } from '../../clusters/cluster-tokens.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { NOT_STARTED, StartingClusters } from '../../clusters/starting-clusters.ts';
import { LocalFeed } from '../../feed/local-feed.ts';
import type { History } from '../../history/open-history.ts';
import { createApiKeys } from '../../http/auth/api-keys.ts';
import { MemoryLimitLedger } from '../../http/limits/memory-limit-ledger.ts';
import { mergeMetrics } from '../../workers/merge-metrics.ts';
import { createPrimaryHandlers } from '../../workers/primary-handlers.ts';
import type { ServedLocalnet } from '../../workers/worker-requests.ts';
import { openClusters, type RunningClusters } from '../clusters/open-clusters.ts';
import { seasonFilePath, watchSeasons } from '../files/season-file.ts';
import { readPackageVersion } from '../settings/package-version.ts';
import type { Config } from '../settings/settings.ts';
import { announceStart, type ServeOptions, waitForSignal } from '../tasks/serve-api.ts';
import { WorkerPool } from './worker-pool.ts';

type PrimaryOptions = Pick<ServeOptions, 'serverLog' | 'embedded' | 'envAliases' | 'telemetry'>;

/** Follows the clusters and records their history, for workers that serve the API until a signal. */
export async function serveWithWorkers(config: Config, options: PrimaryOptions): Promise<void> {
  try {
    await runUntilSignal(config, options);
  } catch (error) {
    await options.embedded?.cancel();
    throw error;
  }
}

async function runUntilSignal(config: Config, options: PrimaryOptions): Promise<void> {
  const { embedded } = options;
  const { log } = options.serverLog;
  const seasons = await watchSeasons(seasonFilePath(config), log);
  const primary = openPrimary(config, options, () => seasons.content);
  const { pool, opening } = primary;
  let open: RunningClusters | undefined;
  try {
    pool.start();
    const failed = opening.then((opened) => {
      open = opened;
      return opened.failed;
    });
    const started = Promise.all([opening, pool.opened]).then(() => undefined);
    // `failed` reports it
    started.catch(() => undefined);
    pool.listening.then((url) => announceStart(url, started)).catch(() => undefined);
    const signals = [waitForSignal('SIGTERM'), waitForSignal('SIGINT')];
    const signal = await Promise.race([...signals, failed, pool.failed]);
    log.info({ signal }, 'closing');
  } finally {
    const stopped = pool.stop();
    primary.endStart();
    await stopped;
    seasons.stop();
    await primary.closeMetrics();
    if (open === undefined) await embedded?.cancel();
    await opening.catch(() => undefined);
    await open?.stop();
  }
  log.info({}, 'closed');
}

function openPrimary(config: Config, options: PrimaryOptions, seasons: () => readonly Season[]) {
  const { serverLog, embedded, envAliases, telemetry } = options;
  const { log } = serverLog;
  const feeds = new Map<ClusterName, LocalFeed>();
  const histories = new Map<ClusterName, History>();
  const progress = () => embedded?.progress() ?? NOT_STARTED;
  const clusters = new StartingClusters(config.cluster, progress);
  const feedOf = (env: ClusterName) => {
    const feed = new LocalFeed(log);
    feeds.set(env, feed);
    return feed;
  };
  const onHistory = (env: ClusterName, history: History) => void histories.set(env, history);
  const { onQuery, onRpcCall } = telemetry ?? {};
  const sources = { embedded, envAliases, log, seasons, feedOf, onHistory };
  const opening: Promise<RunningClusters> = openClusters(
    { ...config, onQuery, onRpcCall },
    sources,
  );
  const ended = createDeferred<never>();
  const opened = opening.then(async (open) => {
    clusters.open(open.clusters);
    return describeLocalnet(await embedded?.started);
  });
  const localnet = Promise.race([opened, ended.promise]);
  // whoever waits for it handles the failure
  localnet.catch(() => undefined);
  const own = openPrimaryMetrics(clusters, config, options);
  const ledger = new MemoryLimitLedger(Date.now);
  const parts = { feeds, histories, ledger, progress, localnet };
  const metrics = async () =>
    mergeMetrics([...(await pool.metrics()), { worker: 'primary', text: await own.text() }]);
  const createHandlers = () => createPrimaryHandlers({ ...parts, metrics });
  const pool: WorkerPool = new WorkerPool({ count: config.workers, createHandlers, log });
  return {
    pool,
    opening,
    closeMetrics: own.close,
    /** A worker that ends does not wait for the start any more. */
    endStart: () => ended.reject(new Error('the server ends')),
  };
}

function describeLocalnet(localnet: RunningLocalnet | undefined): ServedLocalnet | undefined {
  if (localnet === undefined) return undefined;
  const { rpcUrl, wsUrl, keysFolder, metadata } = localnet;
  return { rpcUrl, wsUrl, keysFolder, metadata };
}

/** What only this process knows, such as the state of the recording. It listens on no port. */
function openPrimaryMetrics(
  clusters: StartingClusters,
  config: Config,
  { serverLog, telemetry }: PrimaryOptions,
) {
  let read = () => '';
  const app = createApp({
    version: readPackageVersion(),
    tokens: new ClusterTokens(clusters, undefined),
    keys: createApiKeys([]),
    limits: undefined,
    trustedProxies: config.trustedProxies,
    aliases: { marketSegments: [], legacyPaths: false },
    strictStatuses: false,
    clusters,
    demo: () => undefined,
    clock: Date.now,
    log: serverLog.log,
    logRequest: () => undefined,
    onMetrics(text) {
      read = text;
      telemetry?.exportMetrics?.(text);
    },
  });
  return {
    async text(): Promise<string> {
      await app.ready();
      return read();
    },
    close: async () => void (await app.close()),
  };
}
