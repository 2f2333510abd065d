import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@tidegate/core/base';
import { type CodedError, hasCode } from '../../errors/index.ts';
import { MAX_RESPONSE_LENGTH } from '../format-in-turns.ts';
import { formatJson, isObject, type Json } from '../json.ts';
import { internalError, invalidRequest, parseError, responseTooLarge } from '../rpc-errors.ts';

type Id = string | number | null;

type Call =
  | { readonly kind: 'call'; readonly id: Id; readonly method: string; readonly params: unknown }
  /** A notification gets no response. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'rejected'; readonly id: Id; readonly error: CodedError<'RPC_REFUSAL'> };

export type RpcRequest = { readonly isBatch: boolean; readonly calls: readonly Call[] };

export type RpcHandler = (method: string, params: unknown) => Json | Promise<Json>;

/** Clients that send batches send up to 100 calls in one. */
const MAX_BATCH_CALLS = 100;

const MEMBERS = ['jsonrpc', 'id', 'method', 'params'];

/** Parses untrusted text; errors become the response. */
export function parseRpcRequest(text: string): RpcRequest {
  const value = parseJson(text);
  if (value === undefined) return rejectedRequest(parseError());
  if (Array.isArray(value) && value.length > MAX_BATCH_CALLS) {
    return rejectedRequest(invalidRequest(`Too many calls in a batch; max ${MAX_BATCH_CALLS}`));
  }
  if (Array.isArray(value)) return { isBatch: true, calls: value.map(parseCall) };
  if (isObject(value)) return { isBatch: false, calls: [parseCall(value)] };
  return rejectedRequest(invalidRequest());
}

export const requestMethods = ({ calls }: RpcRequest): readonly string[] =>
  calls.flatMap((call) => ('method' in call ? [call.method] : []));

/** Logs unexpected errors; the client only gets an internal error. */
export const withErrorLog =
  (log: Logger, handle: RpcHandler): RpcHandler =>
  async (method, params) => {
    try {
      return await handle(method, params);
    } catch (error) {
      if (!hasCode(error, 'RPC_REFUSAL')) log.error({ method, error }, 'RPC call failed');
      throw error;
    }
  };

/**
 * The response text; undefined if none is due. Each call of a batch has its own turn of the event loop. `isAbandoned`:
 * nobody waits for the response any more.
 */
export async function handleRequest(
  { isBatch, calls }: RpcRequest,
  handle: RpcHandler,
  isAbandoned: () => boolean = () => false,
): Promise<string | undefined> {
  const responses: string[] = [];
  let left = MAX_RESPONSE_LENGTH;
  for (const [index, call] of calls.entries()) {
    if (index > 0) await nextTurn();
    if (isAbandoned()) return undefined;
    const response = await handleCall(call, handle, left);
    if (response === undefined) continue;
    responses.push(response);
    left -= response.length;
  }
  if (responses.length === 0) return undefined;
  return isBatch ? `[${responses.join()}]` : responses[0];
}

async function handleCall(
  call: Call,
  handle: RpcHandler,
  maxLength: number,
): Promise<string | undefined> {
  if (call.kind === 'rejected') return formatError(call.error, call.id);
  try {
    if (maxLength <= 0) throw responseTooLarge();
    const result = await handle(call.method, call.params);
    if (call.kind !== 'call') return undefined;
    const response = formatJson({ jsonrpc: '2.0', result, id: call.id });
    if (response.length > maxLength) throw responseTooLarge();
    return response;
  } catch (error) {
    const rpcError = hasCode(error, 'RPC_REFUSAL') ? error : internalError();
    return call.kind === 'call' ? formatError(rpcError, call.id) : undefined;
  }
}

function formatError({ context }: CodedError<'RPC_REFUSAL'>, id: Id): string {
  const { rpcCode: code, reason: message, data } = context;
  return formatJson({ jsonrpc: '2.0', error: { code, message, data }, id });
}

/** Unknown members make a call invalid, as on a node. */
function parseCall(value: unknown): Call {
  const call = isObject(value) ? value : {};
  const id = call['id'];
  const responseId = isId(id) ? id : null;
  const { jsonrpc, method, params } = call;
  const isWellFormed =
    typeof method === 'string' &&
    (id === undefined || isId(id)) &&
    (jsonrpc === undefined || jsonrpc === '2.0') &&
    (params === undefined || typeof params === 'object') &&
    Object.keys(call).every((name) => MEMBERS.includes(name));
  if (!isWellFormed) return { kind: 'rejected', id: responseId, error: invalidRequest() };
  if (jsonrpc === undefined) {
    const error = invalidRequest('Unsupported JSON-RPC protocol version');
    return { kind: 'rejected', id: responseId, error };
  }
  const callParams = params ?? undefined;
  if (!isId(id)) return { kind: 'notification', method, params: callParams };
  return { kind: 'call', id, method, params: callParams };
}

const isId = (id: unknown): id is Id =>
  id === null || typeof id === 'string' || (Number.isSafeInteger(id) && Number(id) >= 0);

const rejectedRequest = (error: CodedError<'RPC_REFUSAL'>): RpcRequest => ({
  isBatch: false,
  calls: [{ kind: 'rejected', id: null, error }],
});

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
