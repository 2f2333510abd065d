import type { IncomingMessage } from 'node:http';
import type { TrustedProxies } from './limits/client-address.ts';

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * URL by which the client reached this server, without a trailing slash. Uses the headers of trusted proxies. Replaces
 * an invalid host by the local address of the connection.
 */
export function publicUrl(request: IncomingMessage, trusted: TrustedProxies): string {
  const { socket, headers } = request;
  const isProxy = trusted.has(socket.remoteAddress ?? '');
  const scheme = isProxy ? firstOf(headers['x-forwarded-proto'])?.toLowerCase() : undefined;
  const hostHeader = (isProxy && firstOf(headers['x-forwarded-host'])) || headers.host || '';
  const host = HOST.test(hostHeader) ? hostHeader : localHost(request);
  const isSecure = 'encrypted' in socket && socket.encrypted === true;
  return `${scheme === 'https' || isSecure ? 'https' : 'http'}://${host}`;
}

/**
 * Headers of operations whose response contains the public URL. A cache that many clients share must not store what one
 * of them can choose with a header.
 */
export const hostDependentHeaders: readonly string[] = ['cache-control', 'private, no-cache'];

/** The value set by the proxy nearest to the client. */
function firstOf(header: string | string[] | undefined): string | undefined {
  return [header].flat()[0]?.split(',', 1)[0]?.trim();
}

function localHost({ socket }: IncomingMessage): string {
  const { localAddress = 'localhost', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
