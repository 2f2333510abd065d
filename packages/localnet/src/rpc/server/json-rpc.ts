import { type CodedError, hasCode, type Logger } from '@tidegate/core/base';
import { formatJson, isObject, type Json } from '../json.ts';
import { internalError, invalidRequest, parseError } from '../rpc-errors.ts';

type Id = string | number | null;

type Call =
  | { readonly kind: 'call'; readonly id: Id; readonly method: string; readonly params: unknown }
  /** A notification gets no response. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'rejected'; readonly id: Id; readonly error: CodedError<'RPC_REFUSAL'> };

export type RpcRequest = { readonly isBatch: boolean; readonly calls: readonly Call[] };

export type RpcHandler = (method: string, params: unknown) => Json | Promise<Json>;

const MEMBERS = ['jsonrpc', 'id', 'method', 'params'];

/** Parses untrusted text; errors become the response. */
export function parseRpcRequest(text: string): RpcRequest {
  const value = parseJson(text);
  if (value === undefined) return rejectedRequest(parseError());
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

/** The response text; undefined if none is due. */
export async function handleRequest(
  { isBatch, calls }: RpcRequest,
  handle: RpcHandler,
): Promise<string | undefined> {
  const responses: string[] = [];
  for (const call of calls) {
    const response = await handleCall(call, handle);
    if (response !== undefined) responses.push(response);
  }
  if (responses.length === 0) return undefined;
  return isBatch ? `[${responses.join()}]` : responses[0];
}

async function handleCall(call: Call, handle: RpcHandler): Promise<string | undefined> {
  if (call.kind === 'rejected') return formatError(call.error, call.id);
  try {
    const result = await handle(call.method, call.params);
    return call.kind === 'call' ? formatJson({ jsonrpc: '2.0', result, id: call.id }) : undefined;
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
