import type { IncomingHttpHeaders } from 'node:http';
import { isLocalHost } from '../../http/local-host.ts';

/** `localhost` and the names below it are always loopback (RFC 6761). */
const LOCAL_ORIGIN =
  /^https?:\/\/(?:(?:[\w-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request is refused; undefined if it is not. The server listens on loopback, but a page in a browser of this machine can call
 * it: its `Origin` is that of the page, and a name that it resolved to loopback (DNS rebinding) is its `Host`.
 */
export function refuseForeignCaller({ host, origin }: IncomingHttpHeaders): string | undefined {
  if (host === undefined || !isLocalHost(host)) {
    return 'The Host header is not allowed. Call the server by 127.0.0.1 or localhost.';
  }
  if (origin === undefined || LOCAL_ORIGIN.test(origin)) return undefined;
  return 'Pages of this origin may not call the server.';
}
