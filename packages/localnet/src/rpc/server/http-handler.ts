import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@tidegate/core/base';
import type { ClusterControls } from '../cluster-controls.ts';
import type { ResponseFault } from '../faults.ts';
import { type Json, shiftSlots } from '../json.ts';
import { controlMethods } from '../methods/control-methods.ts';
import { rpcMethods } from '../methods/methods.ts';
import { methodNotFound } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import { handleRequest, parseRpcRequest, requestMethods, withErrorLog } from './json-rpc.ts';

/** Room for the larger accounts that control may set, in base64. */
const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Any page may read, as on a node that is started for development. */
const OPEN_TO_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
};

type Answer = { readonly status: number; readonly type: string; readonly body: string };

const plain = (status: number, body: string): Answer => ({ status, type: TEXT_TYPE, body });

export type RpcHandlerOptions = {
  readonly endpoint: RpcNode;
  readonly controls: ClusterControls;
  readonly log: Logger;
};

/** JSON-RPC over HTTP as a node speaks it, and the control of an embedded cluster. */
export function createHttpHandler(facade: RpcHandlerOptions): RequestListener {
  return (request, response) => {
    respond(facade, request, response).catch(() => response.destroy());
  };
}

async function respond(
  facade: RpcHandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = refusalOf(facade, request);
  if (refused !== undefined) {
    request.resume();
    return send(response, refused);
  }
  const text = await readBody(request);
  if (text === undefined) return send(response, plain(413, 'Request body is too large\n'));
  const fault = await answerText(facade, { request, text }, (answer) => send(response, answer));
  if (fault === 'drop') response.destroy();
}

/** What is answered before the body is looked at. */
function refusalOf({ endpoint }: RpcHandlerOptions, request: IncomingMessage): Answer | undefined {
  const { method, url } = request;
  if (method === 'OPTIONS') return plain(200, '');
  if (method === 'GET' && url === '/health') {
    return plain(200, endpoint.isBehind ? 'behind' : 'ok');
  }
  if (method !== 'POST') {
    return plain(405, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n');
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return undefined;
  return plain(
    415,
    'Supplied content type is not allowed. Content-Type: application/json is required\n',
  );
}

/** Undefined for one that is too large, which is read to its end all the same, so that the caller hears of it. */
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

async function answerText(
  { endpoint, controls, log }: RpcHandlerOptions,
  { request, text }: { readonly request: IncomingMessage; readonly text: string },
  answer: (answer: Answer) => void,
): Promise<'drop' | undefined> {
  const parsed = parseRpcRequest(text);
  const called = requestMethods(parsed);
  const isControl = called.some((method) => controlMethods.has(method));
  const fault = isControl ? undefined : endpoint.faults.takeResponseFault(called);
  if (!isControl) await delay(endpoint.faults.delayMsFor(called));
  if (fault?.kind === 'drop') return 'drop';
  if (fault?.kind === 'status') {
    answer(plain(fault.status, 'Service unavailable\n'));
    return undefined;
  }
  // a page in a browser may read the cluster, not steer it
  const mayControl = request.headers.origin === undefined;
  const handle = withErrorLog(log, async (method, params) => {
    const control = mayControl ? controlMethods.get(method) : undefined;
    if (control !== undefined) return control({ controls, endpoint }, params);
    const known = rpcMethods.get(method);
    if (known === undefined) throw methodNotFound();
    return spoil(known(endpoint, params), fault);
  });
  const body = (await handleRequest(parsed, handle)) ?? '';
  const cut = fault?.kind === 'truncate' ? body.slice(0, body.length / 2) : body;
  answer({ status: 200, type: JSON_TYPE, body: cut });
  return undefined;
}

const spoil = (result: Json, fault: ResponseFault | undefined): Json =>
  fault?.kind === 'wrongSlot' ? shiftSlots(result, BigInt(fault.by)) : result;

function send(response: ServerResponse, { status, type, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...OPEN_TO_PAGES,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
