import cluster from 'node:cluster';
import { createServerLog } from '../../cli/logging/server-log.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { NOT_STARTED } from '../../clusters/starting-clusters.ts';
import { openRemoteHistory } from '../../history/embedded/remote-history.ts';
import { type History, openReadOnlyHistory } from '../../history/open-history.ts';
import type { MetricValues } from '../../http/process-metrics.ts';
import {
  openPrimaryFeed,
  type PrimaryChannel,
  primaryCounters,
} from '../../workers/primary-client.ts';
import { ProcessChannel } from '../../workers/process-channel.ts';
import { toProcessFailure } from '../../workers/process-failure.ts';
import type { PrimaryRequests, WorkerRequests } from '../../workers/worker-requests.ts';
import { loadConfiguredRegistry } from '../clusters/cluster-registry.ts';
import { resolveEnvAliases } from '../clusters/env-aliases.ts';
import { openApiCluster } from '../clusters/open-api-cluster.ts';
import {
  demoOf,
  joinClusters,
  listClusterConfigs,
  type RoleConfig,
} from '../clusters/open-clusters.ts';
import { historySchemaOf } from '../recording/open-cluster-history.ts';
import { type OpenRole, serveApi, type WorkerLinks } from '../tasks/serve-api.ts';
import { startTelemetry } from '../tasks/start-telemetry.ts';

const PROGRESS_MS = 500;
/** A worker ends when its connection to the primary process does. */
const ignoreFailure = (): void => undefined;

/** Serves the API from the state of the primary process, until a signal or its end. */
export async function runWorker(config: Config): Promise<void> {
  let ownMetrics: () => readonly MetricValues[] = () => [];
  const channel: PrimaryChannel = new ProcessChannel<PrimaryRequests, WorkerRequests>(
    {
      send(message) {
        if (process.connected) process.send?.(message, undefined, undefined, ignoreFailure);
      },
      onMessage: (listener) => void process.on('message', listener),
    },
    { ownMetrics: () => ownMetrics() },
  );
  const onMetrics: WorkerLinks['onMetrics'] = (read) => {
    ownMetrics = read;
  };
  const serverLog = createServerLog(config);
  process.once('exit', serverLog.close);
  const telemetry = await startTelemetry(config, serverLog.log);
  const { progress, stop } = watchProgress(channel);
  const worker: WorkerLinks = {
    counters: primaryCounters(channel),
    collectMetrics: () => channel.request('metrics', undefined),
    onMetrics,
    progress,
    async announce(url, started) {
      await channel.request('listening', { url });
      await started.finally(stop);
      await channel.request('opened', undefined);
    },
  };
  const openRole = createWorkerRole(channel);
  const envAliases = resolveEnvAliases(config);
  try {
    const options = { serverLog, embedded: undefined, envAliases, telemetry, openRole, worker };
    await serveApi(config, options);
  } catch (error) {
    await channel.request('failed', toProcessFailure(error));
  } finally {
    stop();
    await telemetry?.close();
    cluster.worker?.disconnect();
  }
}

/** How far the start of the primary process is. */
function watchProgress(channel: PrimaryChannel) {
  let current = NOT_STARTED;
  const poll = (): void => {
    channel.request('progress', undefined).then(
      (progress) => {
        current = progress;
      },
      () => undefined,
    );
  };
  poll();
  const timer = setInterval(poll, PROGRESS_MS).unref();
  return { progress: () => current, stop: () => clearInterval(timer) };
}

const createWorkerRole =
  (channel: PrimaryChannel): OpenRole =>
  async (config, { clusters, envAliases, log, seasons }) => {
    const localnet = await channel.request('localnet', undefined);
    const document = await loadConfiguredRegistry(config, log);
    const clusterConfigs = await listClusterConfigs(config, { localnet, document, log, seasons });
    const isReplica = config.readDatabaseUrl.value !== undefined;
    const settings = { ...config, clock: Date.now, log };
    const opened = clusterConfigs.map((clusterConfig) => {
      const source = openPrimaryFeed(channel, clusterConfig.env);
      const history = openWorkerHistory(config, clusterConfig.env, { channel, log });
      return openApiCluster({ ...clusterConfig, source, history, isReplica }, settings);
    });
    const joined = joinClusters(opened, envAliases);
    clusters.open(joined.clusters);
    return { ...joined, demo: localnet && demoOf(localnet) };
  };

type HistoryLinks = { readonly channel: PrimaryChannel } & Pick<
  Parameters<typeof openRemoteHistory>[0],
  'log'
>;

/** PostgreSQL, or the embedded database through the primary process. */
function openWorkerHistory(
  { databaseUrl, readDatabaseUrl, onQuery }: RoleConfig,
  env: ClusterName,
  { channel, log }: HistoryLinks,
): History {
  const url = readDatabaseUrl.value ?? databaseUrl.value;
  if (url !== undefined) {
    return openReadOnlyHistory({ url, schema: historySchemaOf(env), log, onQuery });
  }
  const run: Parameters<typeof openRemoteHistory>[0]['run'] = (statement) =>
    channel.request('query', { env, ...statement });
  return openRemoteHistory({ run, log, onQuery });
}
