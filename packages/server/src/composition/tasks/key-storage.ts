import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeyFilePath, readApiKeys, updateApiKeys } from '../../cli/files/api-key-file.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { CodedError } from '../../errors.ts';
import type { ApiKeyRecord } from '../../http/auth/api-keys.ts';
import { mergeApiKeys } from '../../http/auth/merge-api-keys.ts';
import { connectRedis } from '../../redis/connect-redis.ts';
import type { RedisConnection } from '../../redis/redis-connection.ts';
import { RedisApiKeys } from '../../sharing/redis-api-keys.ts';
import { REDIS_PREFIX } from './redis-prefix.ts';

/** Where the keys are stored that a command changes. */
export type KeyStorage = {
  /** For messages: a path, or the address of Redis. */
  readonly location: string;
  readonly isShared: boolean;
  read(): Promise<readonly ApiKeyRecord[]>;
  /** Adds keys, or revokes those that exist. */
  merge(records: readonly ApiKeyRecord[]): Promise<void>;
};

/** Uses Redis if it is set: the servers that share it add the keys to their files. */
export async function withKeyStorage<Result>(
  config: Config,
  use: (storage: KeyStorage) => Promise<Result>,
): Promise<Result> {
  const { value: url } = config.redisUrl;
  const path = resolve(apiKeyFilePath(config));
  if (url === undefined) return use(createFileStorage(path));
  const { redis, server } = await connect(url);
  try {
    return await use(createRedisStorage(redis, server, path));
  } finally {
    redis.close();
  }
}

const createFileStorage = (path: string): KeyStorage => ({
  location: path,
  isShared: false,
  read: () => readApiKeys(path),
  merge: (records) => updateApiKeys(path, (stored) => mergeApiKeys(stored, records)),
});

/** Keys of the file that no server has shared yet are part of it. */
function createRedisStorage(redis: RedisConnection, server: string, path: string): KeyStorage {
  const remote = new RedisApiKeys(redis, REDIS_PREFIX, silentLog);
  return {
    location: `Redis at ${server}`,
    isShared: true,
    read: async () => mergeApiKeys(await remote.read(), await readApiKeys(path)),
    merge: (records) => remote.merge(records),
  };
}

const RETRY_MS = 50;
const CONNECT_MS = 3_000;
const ignore = () => undefined;
const silentLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Throws INVALID_SETTING if Redis does not respond. */
async function connect(url: string): Promise<{ redis: RedisConnection; server: string }> {
  const server = new URL(url).host;
  let reason: string | undefined;
  const warn = (fields: Readonly<Record<string, unknown>>) => {
    reason = String(fields['reason']);
  };
  const redis = await connectRedis(url, { log: { ...silentLog, warn } });
  const end = performance.now() + CONNECT_MS;
  while (reason === undefined && performance.now() < end) {
    const isConnected = await redis.send(['PING']).then(
      () => true,
      () => false,
    );
    if (isConnected) return { redis, server };
    await sleep(RETRY_MS);
  }
  redis.close();
  const accepts = `the address of a Redis server that responds (${reason ?? 'it is silent'})`;
  throw new CodedError('INVALID_SETTING', { name: 'REDIS_URL', value: server, accepts });
}
