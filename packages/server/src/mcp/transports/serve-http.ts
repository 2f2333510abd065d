import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import { formatError, type Logger } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { createNodeServer } from '../../http/node-server.ts';
import { refuseForeignCaller } from './local-caller.ts';

type HttpOptions = {
  readonly createServer: () => Server;
  readonly log: Logger;
  readonly port: number;
};

type McpHttpServer = { readonly url: string; readonly close: () => Promise<void> };

const HOST = '127.0.0.1';
const PATH = '/mcp';
/** Far above a request with a transaction. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 100;
/** The tools have no subscriptions, but the protocol allows to open one. */
const MAX_SUBSCRIPTIONS = 20;

/** Serves the streamable HTTP transport on loopback, without sessions: every request is complete. */
export async function serveMcpHttp({
  createServer,
  log,
  port,
}: HttpOptions): Promise<McpHttpServer> {
  const onerror = (error: Error) => log.warn({ error: formatError(error) }, 'protocol error');
  const options = { maxSubscriptions: MAX_SUBSCRIPTIONS, onerror };
  const handler = createMcpHandler(createServer, options);
  const server = createNodeServer((request, response) => {
    serveRequest({ request, response }, handler.fetch).catch((error: unknown) => {
      log.warn({ error: formatError(error) }, 'request failed');
      response.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, HOST);
  await once(server, 'listening').catch((error: unknown) => {
    throw isAddressInUse(error) ? new CodedError('ADDRESS_IN_USE', { host: HOST, port }) : error;
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${actualPort}${PATH}`,
    close: async () => {
      await handler.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

const isAddressInUse = (error: unknown): boolean => Object(error).code === 'EADDRINUSE';

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Fetch = (request: Request) => Promise<Response>;

async function serveRequest({ request, response }: Exchange, fetch: Fetch): Promise<void> {
  const reason = refuseForeignCaller(request.headers);
  if (reason !== undefined) return sendError(response, 403, reason);
  const [path] = (request.url ?? '').split('?');
  if (path !== PATH) return sendError(response, 404, `The endpoint is ${PATH}.`);
  const body = await readBody(request);
  if (body === undefined) return sendError(response, 413, 'The body is too long.');
  const aborted = new AbortController();
  response.once('close', () => aborted.abort());
  const answer = await fetch(toRequest(request, body, aborted.signal));
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  if (answer.body === null) response.end();
  else await pipeline(answer.body, response);
}

function toRequest(
  { method = 'GET', headers }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(`http://${HOST}${PATH}`, {
    method,
    headers: entries,
    signal,
    ...(hasBody && { body: body.toString('utf8') }),
  });
}

/** Undefined if it is longer than allowed. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The form of the protocol's errors. */
function sendError(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  const headers = { 'content-type': 'application/json', connection: 'close' };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
