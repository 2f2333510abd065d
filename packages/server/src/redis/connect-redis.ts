import type { Logger } from '@tidegate/core/base';

/** A reply: text, bytes and numbers, nested in lists. */
export type RedisReply = Buffer | string | number | null | readonly RedisReply[];

/** A connection that reconnects by itself. */
export type RedisConnection = {
  /** Rejects at once while there is no connection. Bulk strings are returned as bytes. */
  send(command: readonly (string | Buffer)[]): Promise<RedisReply>;
  /** Called after each connect, the first one included. */
  onConnect(listener: () => void): void;
  /** Another connection to the same server, for commands that block. */
  duplicate(): RedisConnection;
  close(): void;
};

export type RedisOptions = {
  readonly log: Logger;
  /** A connection without a reply for this long is replaced. */
  readonly silentMs?: number;
};

/** Loads the client, which has hundreds of modules, on first use. */
export async function connectRedis(url: string, options: RedisOptions): Promise<RedisConnection> {
  const { openRedisConnection } = await import('./redis-connection.ts');
  return openRedisConnection(url, options);
}
