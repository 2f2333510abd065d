import { RedisFeedSource } from '../../feed/redis-feed-source.ts';
import { feedKeys } from '../../feed/redis-keys.ts';
import { openReadOnlyHistory } from '../../history/open-history.ts';
import { connectRedis } from '../../redis/connect-redis.ts';
import type { ClusterConfig } from '../clusters/cluster-config.ts';
import { loadConfiguredRegistry } from '../clusters/cluster-registry.ts';
import { openApiCluster } from '../clusters/open-api-cluster.ts';
import { joinClusters, listClusterConfigs } from '../clusters/open-clusters.ts';
import { historySchemaOf } from '../recording/open-cluster-history.ts';
import { REDIS_PREFIX } from './redis-prefix.ts';
import {
  requireDatabaseUrl,
  requireFullHistory,
  requireRedisUrl,
  requireRpcUrl,
} from './require-role-settings.ts';
import type { OpenRole } from './serve-api.ts';

/** Serves the state that an index process publishes in Redis. */
export const openApiRole: OpenRole = async (config, { clusters, envAliases, log, seasons }) => {
  requireRpcUrl(config);
  requireFullHistory(config);
  const { onQuery } = config;
  const redisUrl = requireRedisUrl(config);
  const replicaUrl = config.readDatabaseUrl.value;
  const url = replicaUrl ?? requireDatabaseUrl(config);
  const document = await loadConfiguredRegistry(config, log);
  const sources = { localnet: undefined, document, log, seasons };
  const openEach = async (clusterConfig: ClusterConfig) => {
    const { env } = clusterConfig;
    const redis = await connectRedis(redisUrl, { log });
    const source = new RedisFeedSource({ redis, keys: feedKeys(REDIS_PREFIX, env) });
    const history = openReadOnlyHistory({ url, schema: historySchemaOf(env), log, onQuery });
    const isReplica = replicaUrl !== undefined;
    const settings = { ...config, clock: Date.now, log };
    return openApiCluster({ ...clusterConfig, source, history, isReplica }, settings);
  };
  const opened = await Promise.all((await listClusterConfigs(config, sources)).map(openEach));
  const joined = joinClusters(opened, envAliases);
  clusters.open(joined.clusters);
  return joined;
};
