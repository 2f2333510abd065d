import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';

/** Fits a query of 32 KiB, a path and common headers. */
const MAX_HEADER_BYTES = 56 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than any operation computes before it sends its first byte. */
const IDLE_TIMEOUT_MS = 120_000;
/** Longer than the idle timeout of proxies (usually 60 s), so that a proxy never uses a closed connection. */
export const KEEP_ALIVE_SECONDS = 75;

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

type Timeouts = {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** Without a byte in either direction, also while the client does not read its response. */
  readonly idleTimeout: number;
};

/** In ms. A connection that sends its request more slowly is closed. */
const timeouts: Timeouts = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: 5_000,
  idleTimeout: IDLE_TIMEOUT_MS,
};

export function createNodeServer(
  listener: RequestListener,
  { idleTimeout, ...limits }: Timeouts = timeouts,
): Server {
  const server = createServer(
    {
      ...limits,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
      noDelay: true,
      // checked below, so that the response is JSON
      requireHostHeader: false,
    },
    (request, response) => {
      if (isUnambiguous(request)) listener(request, response);
      else server.emit('clientError', new Error('ambiguous request'), request.socket);
    },
  );
  server.timeout = idleTimeout;
  return server;
}

/**
 * Whether a proxy in front of the server cannot understand a request differently: its host, and where its body ends
 * (RFC 9112, 3.2 and 6.1). The parser rejects the other cases.
 */
function isUnambiguous({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion === '1.1') return countHosts(rawHeaders) === 1;
  return httpVersion === '1.0' && headers['transfer-encoding'] === undefined;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Responds to a request that is not valid HTTP and closes the connection. Returns the status, if any was sent. */
export function rejectMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const status = statusByCode[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: `${STATUS_CODES[status]}. The connection is closed.` });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  return status;
}
