import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { TransferredBytes } from '../budget/endpoint-meter.ts';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';

type PostResponse = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Read it to the end or destroy it: the connection is in use until then. */
  readonly body: Readable;
  /** Bytes on the connection, with headers, before decompression. Complete when the body was read. */
  readonly transferred: () => TransferredBytes;
};

/** Resolves when the response headers arrive. The signal also aborts reading the body. */
export type HttpPost = (body: string, signal: AbortSignal) => Promise<PostResponse>;

/** Sends JSON to one URL over keep-alive connections, in a third of the CPU time of `fetch`. */
export function createHttpPost({ href, headers }: Pick<EndpointUrl, 'href' | 'headers'>): HttpPost {
  const url = new URL(href);
  const isSecure = url.protocol === 'https:';
  const request = isSecure ? secureRequest : plainRequest;
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true })
    : new PlainAgent({ keepAlive: true });
  const commonHeaders = {
    ...headers,
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
  };

  const post = (body: string, signal: AbortSignal, mayRetry: boolean): Promise<PostResponse> =>
    new Promise((resolve, reject) => {
      const allHeaders = { ...commonHeaders, 'content-length': Buffer.byteLength(body) };
      const sent = request(
        url,
        { method: 'POST', agent, signal, headers: allHeaders },
        (response) => resolve({ ...toPostResponse(response), transferred }),
      );
      const transferred = countBytes(sent);
      sent.once('error', (error) => {
        // the server may close an idle connection just when it is reused
        const isStale = sent.reusedSocket && mayRetry && !signal.aborted;
        if (isStale) post(body, signal, false).then(resolve, reject);
        else reject(error);
      });
      sent.end(body);
    });
  return (body, signal) => post(body, signal, true);
}

/** A connection serves one request at a time, so what it transfers since the request got it belongs to the request. */
function countBytes(sent: ClientRequest): () => TransferredBytes {
  let [socket, read, written]: [Socket | undefined, number, number] = [undefined, 0, 0];
  sent.once('socket', (assigned) => {
    [socket, read, written] = [assigned, assigned.bytesRead, assigned.bytesWritten];
  });
  return () => ({
    sent: (socket?.bytesWritten ?? written) - written,
    received: (socket?.bytesRead ?? read) - read,
  });
}

function toPostResponse(response: IncomingMessage): Omit<PostResponse, 'transferred'> {
  const { statusCode = 0, headers } = response;
  const isCompressed = headers['content-encoding'] === 'gzip';
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    // the reader of the decompressed body receives stream errors
    body: isCompressed ? pipeline(response, createGunzip(), () => undefined) : response,
  };
}
