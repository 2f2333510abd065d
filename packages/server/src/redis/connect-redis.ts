import type { RedisConnection, RedisOptions } from './redis-connection.ts';

/** Loads the client, which has hundreds of modules, on first use. */
export async function connectRedis(url: string, options: RedisOptions): Promise<RedisConnection> {
  const { openRedisConnection } = await import('./redis-connection.ts');
  return openRedisConnection(url, options);
}
