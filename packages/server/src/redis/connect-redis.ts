import { createClient, RESP_TYPES } from '@redis/client';
import { formatError, type Logger } from '@tidegate/core/base';

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

const CONNECT_TIMEOUT_MS = 3_000;
const RECONNECT_MS = 500;
/** Finds out that a server does not respond any more. */
const PING_MS = 2_000;
const SILENT_MS = 8_000;
/** Replies of the first version of the protocol with lists; the newer one has maps. */
const PROTOCOL = 2;

/** Connects in the background. An outage is logged once when it begins and once when it ends. */
export function connectRedis(url: string, { log }: { readonly log: Logger }): RedisConnection {
  const client = createClient({
    url,
    RESP: PROTOCOL,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: () => RECONNECT_MS,
    },
  });
  const server = URL.canParse(url) ? new URL(url).host : 'REDIS_URL';
  let isFailing = false;
  client.on('error', (error: unknown) => {
    if (!isFailing) log.warn({ server, reason: formatError(error) }, 'Redis is not available');
    isFailing = true;
  });
  client.on('ready', () => {
    if (isFailing) log.info({ server }, 'Redis is available again');
    isFailing = false;
  });
  // every failure is also an event
  client.connect().catch(() => undefined);
  return {
    send: (command) =>
      client.sendCommand<RedisReply>([...command], {
        typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer },
      }),
    onConnect: (listener) => void client.on('ready', listener),
    duplicate: () => connectRedis(url, { log }),
    close: () => client.destroy(),
  };
}
