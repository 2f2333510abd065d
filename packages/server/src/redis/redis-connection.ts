import { createClient, RESP_TYPES } from '@redis/client';
import { formatError, type Logger } from '@tidegate/core/base';
import { redisProblemOf, UNREACHABLE } from './redis-problem.ts';

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

const CONNECT_TIMEOUT_MS = 3_000;
const RECONNECT_MS = 500;
/** Finds out that a server does not respond any more. */
const PING_MS = 2_000;
const SILENT_MS = 8_000;
/** Replies of the first version of the protocol with lists; the newer one has maps. */
const PROTOCOL = 2;

/** Further errors of a kind belong to the same problem. */
const SAME_PROBLEM_MS = 60_000;

/**
 * Connects in the background. An outage is logged once when it begins, again when its reason is found (a server that has
 * changed its password closes connections first), and once when it ends. So is a command that Redis refuses.
 */
export function openRedisConnection(url: string, options: RedisOptions): RedisConnection {
  const { log, silentMs = SILENT_MS } = options;
  const server = URL.canParse(url) ? new URL(url).host : 'REDIS_URL';
  const listeners: (() => void)[] = [];
  let isFailing = false;
  /** The last one that Redis itself has named, and when. */
  let named: { readonly kind: string; readonly at: number } | undefined;
  const isNew = (kind: string): boolean => {
    const now = performance.now();
    const isKnown = named?.kind === kind && now - named.at < SAME_PROBLEM_MS;
    named = { kind, at: now };
    return !isKnown;
  };
  const warn = (error: unknown, message: string) => {
    const { kind, action } = redisProblemOf(error);
    if (kind === UNREACHABLE.kind ? isFailing : !isNew(kind)) return;
    log.warn({ server, reason: formatError(error), action }, message);
  };
  const onError = (error: unknown) => {
    warn(error, 'Redis is not available');
    isFailing = true;
  };
  const onReady = () => {
    if (isFailing) log.info({ server }, 'Redis is available again');
    isFailing = false;
    for (const listener of listeners) listener();
  };
  let client = openClient(url, { silentMs, onError, onReady });
  /** The timeout of the socket does not do: a command that is sent counts as activity. */
  const replaceSilent = (silent: typeof client) => {
    if (client !== silent) return;
    onError(new Error(`no reply for ${silentMs} ms`));
    client = openClient(url, { silentMs, onError, onReady });
    silent.destroy();
  };
  return {
    async send(command) {
      const used = client;
      const timer = setTimeout(() => replaceSilent(used), silentMs).unref();
      try {
        return await used.sendCommand<RedisReply>([...command], {
          typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer },
        });
      } catch (error) {
        if (redisProblemOf(error) !== UNREACHABLE) warn(error, 'Redis refuses a command');
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    onConnect: (listener) => void listeners.push(listener),
    duplicate: () => openRedisConnection(url, options),
    close: () => client.destroy(),
  };
}

type ClientOptions = {
  readonly silentMs: number;
  readonly onError: (error: unknown) => void;
  readonly onReady: () => void;
};

function openClient(url: string, { silentMs, onError, onReady }: ClientOptions) {
  const client = createClient({
    url,
    RESP: PROTOCOL,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: silentMs,
      reconnectStrategy: () => RECONNECT_MS,
    },
  });
  client.on('error', onError);
  client.on('ready', onReady);
  // every failure is also an event
  client.connect().catch(() => undefined);
  return client;
}
