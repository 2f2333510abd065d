import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@tidegate/core/base';
import type { ClusterControls } from '../cluster-controls.ts';
import type { ResponseFault } from '../faults.ts';
import { loadForkedAccounts } from '../forked-reads.ts';
import { type Json, shiftSlots } from '../json.ts';
import { controlMethods } from '../methods/control-methods.ts';
import { rpcMethods } from '../methods/methods.ts';
import { asOriginError, methodNotFound } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import type { AccessCheck } from './access-check.ts';
import { handleRequest, parseRpcRequest, requestMethods, withErrorLog } from './json-rpc.ts';

/** Allows large accounts of `tidegate_setAccount` in base64. */
const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** For the pages that may call. */
const CORS_HEADERS = {
  vary: 'origin',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
};

type HttpResponse = { readonly status: number; readonly type: string; readonly body: string };

const textResponse = (status: number, body: string): HttpResponse => ({
  status,
  type: TEXT_TYPE,
  body,
});

export type RpcHandlerOptions = {
  readonly node: RpcNode;
  readonly controls: ClusterControls;
  readonly log: Logger;
  readonly access: AccessCheck;
};

/** JSON-RPC over HTTP, with the control methods of a local cluster. */
export function createHttpHandler(options: RpcHandlerOptions): RequestListener {
  return (request, response) => {
    respond(options, request, response).catch(() => response.destroy());
  };
}

async function respond(
  options: RpcHandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const rejection = options.access(request.headers);
  if (rejection === undefined) allowOrigin(request, response);
  const early =
    rejection === undefined ? earlyResponse(options, request) : textResponse(403, `${rejection}\n`);
  if (early !== undefined) {
    request.resume();
    return send(response, early);
  }
  const text = await readBody(request);
  if (text === undefined) return send(response, textResponse(413, 'Request body is too large\n'));
  const fault = await handleBody(options, { request, response, text });
  if (fault === 'drop') response.destroy();
}

function allowOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
}

/** Responses that do not need the body. */
function earlyResponse(
  { node }: RpcHandlerOptions,
  request: IncomingMessage,
): HttpResponse | undefined {
  const { method, url } = request;
  if (method === 'OPTIONS') return textResponse(200, '');
  if (method === 'GET' && url === '/health') {
    return textResponse(200, node.isBehind ? 'behind' : 'ok');
  }
  if (method !== 'POST') {
    return textResponse(405, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n');
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return undefined;
  return textResponse(
    415,
    'Supplied content type is not allowed. Content-Type: application/json is required\n',
  );
}

/**
 * Undefined if the body is too large. It is read to its end, so that the client gets the response.
 */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) chunks.length = 0;
    else chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

type ReceivedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly text: string;
};

async function handleBody(
  { node, controls, log }: RpcHandlerOptions,
  { request, response, text }: ReceivedRequest,
): Promise<'drop' | undefined> {
  const parsed = parseRpcRequest(text);
  const methods = requestMethods(parsed);
  const isControl = methods.some((method) => controlMethods.has(method));
  const fault = isControl ? undefined : node.faults.takeResponseFault(methods);
  if (!isControl) await delay(node.faults.delayMsFor(methods));
  if (fault?.kind === 'drop') return 'drop';
  if (fault?.kind === 'status') {
    send(response, textResponse(fault.status, 'Service unavailable\n'));
    return undefined;
  }
  // Web pages may read the cluster but not control it.
  const mayControl = request.headers.origin === undefined;
  const handle = withErrorLog(log, async (method, params) => {
    const control = mayControl ? controlMethods.get(method) : undefined;
    if (control !== undefined) return control({ controls, node }, params);
    const rpcMethod = rpcMethods.get(method);
    if (rpcMethod === undefined) throw methodNotFound();
    await asOriginError(() => loadForkedAccounts(node, method, params));
    const result = await rpcMethod(node, params);
    await controls.settled();
    return applySlotFault(result, fault);
  });
  const body = (await handleRequest(parsed, handle, () => response.destroyed)) ?? '';
  const sentBody = fault?.kind === 'truncate' ? body.slice(0, body.length / 2) : body;
  send(response, { status: 200, type: JSON_TYPE, body: sentBody });
  return undefined;
}

const applySlotFault = (result: Json, fault: ResponseFault | undefined): Json =>
  fault?.kind === 'wrongSlot' ? shiftSlots(result, BigInt(fault.by)) : result;

function send(response: ServerResponse, { status, type, body }: HttpResponse): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
