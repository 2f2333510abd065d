import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Fits a query of 32 KiB, a path and common headers. */
const MAX_HEADER_BYTES = 56 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than the idle timeout of proxies (usually 60 s), so that a proxy never uses a closed connection. */
export const KEEP_ALIVE_SECONDS = 75;

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

export function createNodeServer(listener: RequestListener): Server {
  return createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
    },
    listener,
  );
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
