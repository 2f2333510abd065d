import type { Season } from '@tidegate/core/views/rewards';
import type { RunningLocalnet } from '@tidegate/localnet';
import { createApp } from '../../app.ts';
import { createDeferred } from '../../chain/deferred.ts';
import { seasonFilePath, watchSeasons } from '../../cli/files/season-file.ts';
import { readPackageVersion } from '../../cli/settings/package-version.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { ClusterTokens } from '../../clusters/cluster-tokens.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { NOT_STARTED, StartingClusters } from '../../clusters/starting-clusters.ts';
import { LocalFeed } from '../../feed/local-feed.ts';
import type { History } from '../../history/open-history.ts';
import { createApiKeys } from '../../http/auth/api-keys.ts';
import { MemoryLimitCounters } from '../../http/limits/memory-limit-counters.ts';
import type { MetricValues } from '../../http/process-metrics.ts';
import { mergeMetrics } from '../../workers/merge-metrics.ts';
import { createPrimaryHandlers } from '../../workers/primary-handlers.ts';
import type { ServedLocalnet } from '../../workers/worker-requests.ts';
import { openClusters, type RunningClusters } from '../clusters/open-clusters.ts';
import { drainMsOf, exitAtOnce, watchSignals } from '../tasks/end-signals.ts';
import { announcePort, openFreePort, requireFreePort } from '../tasks/free-port.ts';
import { announceStart, type ServeOptions } from '../tasks/serve-api.ts';
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
  const port = await findWorkerPort(config);
  const seasons = await watchSeasons(seasonFilePath(config), log);
  const primary = openPrimary({ ...config, port }, options, () => seasons.content);
  const { pool, opening } = primary;
  let open: RunningClusters | undefined;
  // a server that fails has nothing to drain for
  let signal: Awaited<typeof signals.first> = 'SIGINT';
  const signals = watchSignals((second) => {
    pool.kill();
    exitAtOnce(second);
  });
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
    signal = await Promise.race([signals.first, failed, pool.failed]);
    log.info({ signal }, 'closing');
  } finally {
    const stopped = pool.stop(signal, drainMsOf(signal, config));
    primary.endStart();
    await stopped;
    seasons.stop();
    await primary.closeMetrics();
    if (open === undefined) await embedded?.cancel();
    await opening.catch(() => undefined);
    await open?.stop();
    signals.stop();
  }
  log.info({}, 'closed');
}

/** A worker that starts later must find the port of the others. */
async function findWorkerPort({ host, port, unset }: Config): Promise<number> {
  if (!unset.has('port')) return port;
  const search = { port, isDefault: true, onMoved: announcePort };
  return openFreePort(search, (candidate) => requireFreePort(host, candidate));
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
  const counters = new MemoryLimitCounters(Date.now);
  const parts = { feeds, histories, counters, progress, localnet };
  const metrics = async () =>
    mergeMetrics([...(await pool.metrics()), { worker: 'primary', metrics: await own.metrics() }]);
  const createHandlers = () => createPrimaryHandlers({ ...parts, metrics });
  const pool: WorkerPool = new WorkerPool({
    count: config.workers,
    port: config.port,
    createHandlers,
    log,
  });
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
  let read: () => readonly MetricValues[] = () => [];
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
    onMetrics(readOwn) {
      read = readOwn;
      telemetry?.exportMetrics?.(readOwn);
    },
  });
  return {
    async metrics(): Promise<readonly MetricValues[]> {
      await app.ready();
      return read();
    },
    close: async () => void (await app.close()),
  };
}
