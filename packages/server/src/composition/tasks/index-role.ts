import { hostname } from 'node:os';
import { formatError, type Logger } from '@tidegate/core/base';
import { createDeferred } from '../../chain/deferred.ts';
import { sleepUnlessAborted } from '../../chain/retry.ts';
import { createLoadReporter } from '../../cli/terminal/progress-reporter.ts';
import type { ClusterAliases } from '../../clusters/served-clusters.ts';
import { CodedError, hasCode } from '../../errors.ts';
import { RedisFeedSink } from '../../feed/redis-feed-sink.ts';
import { feedKeys } from '../../feed/redis-keys.ts';
import { awaitWriterTerm, type WriterTerm } from '../../history/fencing/writer-election.ts';
import { databaseActionOf } from '../../history/health/database-problem.ts';
import { withoutCredentials } from '../../history/open-history.ts';
import { connectRedis } from '../../redis/connect-redis.ts';
import type { ClusterConfig } from '../clusters/cluster-config.ts';
import { loadConfiguredRegistry } from '../clusters/cluster-registry.ts';
import { openCluster, type RunningCluster } from '../clusters/open-cluster.ts';
import {
  joinClusters,
  listClusterConfigs,
  type RoleConfig,
  type RunningClusters,
} from '../clusters/open-clusters.ts';
import {
  historySchemaOf,
  openHistoryOfWriter,
  openReplica,
} from '../recording/open-cluster-history.ts';
import { REDIS_PREFIX } from './redis-prefix.ts';
import {
  requireDatabaseUrl,
  requireFullHistory,
  requireRedisUrl,
  requireRpcUrl,
} from './require-role-settings.ts';
import type { OpenRole } from './serve-api.ts';

type Writing = {
  readonly config: RoleConfig;
  readonly clusterConfigs: readonly ClusterConfig[];
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly envAliases: ClusterAliases;
  readonly log: Logger;
};

const RETRY_MS = 1_000;

/** Is the writer whenever it is elected, and waits as a standby otherwise. */
export const openIndexRole: OpenRole = async (config, { clusters, envAliases, log, seasons }) => {
  requireRpcUrl(config);
  requireFullHistory(config);
  const databaseUrl = requireDatabaseUrl(config);
  const redisUrl = requireRedisUrl(config);
  const document = await loadConfiguredRegistry(config, log);
  const sources = { localnet: undefined, document, log, seasons };
  const clusterConfigs = await listClusterConfigs(config, sources);
  const stopping = new AbortController();
  const failed = createDeferred<never>();
  const schemas = clusterConfigs.map(({ env }) => historySchemaOf(env));
  const election = { url: databaseUrl, schemas, log };
  const writing = { config, clusterConfigs, databaseUrl, redisUrl, envAliases, log };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const term = await awaitWriterTerm(election, stopping.signal);
      if (term === undefined) return;
      log.info({}, 'this process writes now');
      await writeUntilLost({ writing, term, clusters, signal: stopping.signal, failed });
    }
  };
  const running = run();
  return {
    demo: undefined,
    failed: failed.promise,
    async stop() {
      stopping.abort();
      await running;
    },
  };
};

type TermOptions = {
  readonly writing: Writing;
  readonly term: WriterTerm;
  readonly clusters: Parameters<OpenRole>[1]['clusters'];
  readonly signal: AbortSignal;
  readonly failed: ReturnType<typeof createDeferred<never>>;
};

async function writeUntilLost(options: TermOptions): Promise<void> {
  const { writing, term, clusters, signal, failed } = options;
  const { log } = writing;
  const opened: RunningCluster[] = [];
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    for (const each of writing.clusterConfigs) opened.push(await openWriter(writing, each, term));
    const joined: RunningClusters = joinClusters(opened, writing.envAliases);
    joined.failed.catch((error: unknown) => failed.reject(error));
    clusters.open(joined.clusters);
    const reason = await Promise.race([term.lost, aborted]);
    if (reason !== undefined) log.warn({ reason }, 'this process does not write any more');
  } catch (error) {
    if (hasCode(error, 'INVALID_SETTING')) failed.reject(error);
    const action = databaseActionOf(error);
    log.warn(
      { reason: formatError(error), ...(action && { action }) },
      'this process could not begin to write',
    );
    await sleepUnlessAborted(RETRY_MS, signal);
  } finally {
    clusters.close();
    await Promise.allSettled(opened.map(({ stop }) => stop()));
    await term.release();
  }
}

async function confirmTerm(term: WriterTerm): Promise<boolean> {
  try {
    return await term.confirm();
  } catch (error) {
    const context = { source: 'the database', reason: formatError(error) };
    throw new CodedError('SOURCE_UNAVAILABLE', context, error);
  }
}

async function openWriter(
  { config, databaseUrl, redisUrl, log }: Writing,
  clusterConfig: ClusterConfig,
  term: WriterTerm,
): Promise<RunningCluster> {
  const { env } = clusterConfig;
  const { history, epoch } = await openHistoryOfWriter(databaseUrl, env, {
    isHeld: term.isHeld,
    log,
    onQuery: config.onQuery,
  });
  term.watchEpoch(historySchemaOf(env), epoch);
  const redis = await connectRedis(redisUrl, { log });
  const keys = feedKeys(REDIS_PREFIX, env);
  const name = `process ${process.pid} on ${hostname()}, ${withoutCredentials(databaseUrl)}`;
  const feed = new RedisFeedSink({ redis, keys, isWriter: () => confirmTerm(term), name, log });
  const replica = openReplica(config, env, log);
  const onProgress = createLoadReporter(env);
  const settings = { ...config, clock: Date.now, log, onProgress };
  return openCluster({ ...clusterConfig, history, replica, feed }, settings);
}
