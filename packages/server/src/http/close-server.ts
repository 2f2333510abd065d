import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shutdown } from './shutdown.ts';

type ClosableApp = { readonly server: Server; readonly close: () => PromiseLike<unknown> };

/** Idle connections of callers that have not noticed the end still get an answer in this time. */
const LINGER_MS = 1_000;
/** Time for open requests afterwards. With the rest of the shutdown it stays below 10 s. */
const COMPLETION_MS = 8_000;

type CloseOptions = {
  /** Resolves when proxies use other processes. Undefined if nobody is to be waited for. */
  readonly drained: Promise<unknown> | undefined;
  readonly lingerMs?: number;
};

/**
 * Ends a server without losing a request: drains, stops listening, and completes open requests. An idle
 * connection that is closed while its caller sends a request loses it, and proxies do not repeat a POST. So idle
 * connections are closed last, when proxies have turned to other processes.
 */
export async function closeServer(
  app: ClosableApp,
  shutdown: Shutdown,
  { drained, lingerMs = LINGER_MS }: CloseOptions,
): Promise<void> {
  shutdown.drain();
  await drained;
  shutdown.close();
  if (drained !== undefined) await stopListening(app.server, lingerMs);
  const timer = setTimeout(() => app.server.closeAllConnections(), COMPLETION_MS);
  await app.close();
  clearTimeout(timer);
}

/** Resolves when all connections have ended, or after a moment. `close` of an HTTP server would close idle ones at once. */
async function stopListening(server: Server, lingerMs: number): Promise<void> {
  const lingered = new AbortController();
  const ended = new Promise<void>((resolve) => {
    SocketServer.prototype.close.call(server, () => resolve());
  });
  const late = sleep(lingerMs, undefined, lingered).catch(() => undefined);
  await Promise.race([ended, late]);
  lingered.abort();
}
