import type { Logger } from '@tidegate/core/base';
import { apiKeyFilePath } from '../../cli/files/api-key-file.ts';
import {
  type WatchedApiKeys,
  watchApiKeys,
  watchSharedApiKeys,
} from '../../cli/files/watch-api-keys.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { RateLimits } from '../../http/auth/authenticator.ts';
import type { LimitCounters } from '../../http/limits/limit-counters.ts';
import { MemoryRateLimitStore } from '../../http/limits/memory-limit-store.ts';
import type { RateLimitStore } from '../../http/limits/rate-limit.ts';
import { SharedRateLimitStore } from '../../http/limits/shared-limit-store.ts';
import { connectRedis } from '../../redis/connect-redis.ts';
import type { RedisConnection } from '../../redis/redis-connection.ts';
import { RedisApiKeys } from '../../sharing/redis-api-keys.ts';
import { RedisLimitCounters } from '../../sharing/redis-limit-counters.ts';
import { REDIS_PREFIX } from './redis-prefix.ts';

/** Who may call the API, and how much. */
export type AccessControl = {
  readonly keys: WatchedApiKeys;
  /** Undefined if rate limits are off. */
  readonly limits: RateLimits | undefined;
  stop(): Promise<void>;
};

type AccessOptions = {
  readonly log: Logger;
  /** Where workers of one server count together; Redis comes first. */
  readonly counters?: LimitCounters | undefined;
};

/** Keys and limits of this process, or those that all processes with the same Redis share. */
export async function openAccessControl(
  config: Config,
  { log, counters }: AccessOptions,
): Promise<AccessControl> {
  const { value: url } = config.redisUrl;
  if (url !== undefined) return openSharedAccess(config, await connectRedis(url, { log }), log);
  const keys = await watchApiKeys(apiKeyFilePath(config), log);
  if (counters === undefined) {
    const limits = createRateLimits(config, new MemoryRateLimitStore(Date.now));
    return { keys, limits, stop: async () => keys.stop() };
  }
  const store = new SharedRateLimitStore({ counters, clock: Date.now, log });
  return {
    keys,
    limits: createRateLimits(config, store),
    async stop() {
      keys.stop();
      await store.close();
    },
  };
}

async function openSharedAccess(
  config: Config,
  redis: RedisConnection,
  log: Logger,
): Promise<AccessControl> {
  const remote = new RedisApiKeys(redis, REDIS_PREFIX, log);
  const keys = await watchSharedApiKeys(apiKeyFilePath(config), remote, log).catch((error) => {
    redis.close();
    throw error;
  });
  const counters = new RedisLimitCounters(redis, REDIS_PREFIX);
  const store = new SharedRateLimitStore({ counters, clock: Date.now, log });
  return {
    keys,
    limits: createRateLimits(config, store),
    async stop() {
      keys.stop();
      await store.close();
      redis.close();
    },
  };
}

function createRateLimits(
  { rateLimit, rateLimitKey }: Config,
  store: RateLimitStore,
): RateLimits | undefined {
  return rateLimit === 'off' ? undefined : { ...rateLimit, key: rateLimitKey, store };
}
