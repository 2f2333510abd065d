import { CLOCK_SYSVAR, formatError } from '@tidegate/core/base';
import { createDeferred } from '../../chain/deferred.ts';
import { parseEndpointUrl } from '../../chain/endpoints/endpoint-url.ts';
import { RpcSocket } from '../../chain/streams/rpc-socket.ts';
import type { Config } from '../settings/settings.ts';
import { type Finding, ok, warning } from './finding.ts';

type SocketOptions = Pick<Config, 'commitment'> & {
  readonly timeoutMs: number;
  /** From the subscription until its first notification; `timeoutMs` by default. */
  readonly notificationMs?: number;
};

/** Opens a WebSocket, subscribes to the clock account and waits for its first notification. */
export async function checkSocket(url: URL, options: SocketOptions): Promise<Finding> {
  const endpoint = parseEndpointUrl(url);
  const name = `websocket ${endpoint.host}`;
  const { timeoutMs, commitment, notificationMs = timeoutMs } = options;
  const closed = createDeferred<never>();
  let socket: RpcSocket | undefined;
  try {
    socket = await RpcSocket.open({
      url: endpoint,
      name,
      timeoutMs,
      pingMs: timeoutMs,
      onClosed: (reason) => closed.reject(new Error(reason)),
    });
    await Promise.race([waitForClock(socket, commitment, notificationMs), closed.promise]);
    return ok(name, 'It confirms subscriptions and sends notifications.');
  } catch (error) {
    const change =
      'Set WS_URL to an endpoint with accountSubscribe, or to none. The server polls meanwhile.';
    return warning(name, endpoint.redact(formatError(error)), change);
  } finally {
    socket?.close();
  }
}

async function waitForClock(
  socket: RpcSocket,
  commitment: Config['commitment'],
  notificationMs: number,
): Promise<void> {
  const notified = createDeferred<void>();
  const config = { encoding: 'base64', commitment };
  await socket.subscribe('account', [CLOCK_SYSVAR, config], () => notified.resolve());
  const timer = setTimeout(
    () => notified.reject(new Error(`it sent no notification within ${notificationMs / 1000} s`)),
    notificationMs,
  );
  await notified.promise.finally(() => clearTimeout(timer));
}
