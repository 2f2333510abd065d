import { type CodedError, hasCode, type Logger } from '@tidegate/core/base';
import { formatJson, isObject, type Json } from '../json.ts';
import { internalError, invalidRequest, parseError } from '../rpc-errors.ts';

type Id = string | number | null;

type Call =
  | { readonly kind: 'call'; readonly id: Id; readonly method: string; readonly params: unknown }
  /** Nobody waits for an answer. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'rejected'; readonly id: Id; readonly error: CodedError<'RPC_REFUSAL'> };

export type RpcRequest = { readonly isBatch: boolean; readonly calls: readonly Call[] };

export type RpcHandler = (method: string, params: unknown) => Json | Promise<Json>;

const MEMBERS = ['jsonrpc', 'id', 'method', 'params'];

/** Untrusted text; what is wrong with it becomes the answer. */
export function parseRpcRequest(text: string): RpcRequest {
  const value = parseText(text);
  if (value === undefined) return refusedWhole(parseError());
  if (Array.isArray(value)) return { isBatch: true, calls: value.map(parseCall) };
  if (isObject(value)) return { isBatch: false, calls: [parseCall(value)] };
  return refusedWhole(invalidRequest());
}

export const requestMethods = ({ calls }: RpcRequest): readonly string[] =>
  calls.flatMap((call) => ('method' in call ? [call.method] : []));

/** Tells the log what no refusal was meant for; the caller only hears of an internal error. */
export const withErrorLog =
  (log: Logger, handle: RpcHandler): RpcHandler =>
  async (method, params) => {
    try {
      return await handle(method, params);
    } catch (error) {
      if (!hasCode(error, 'RPC_REFUSAL')) log.error({ method, error }, 'call failed');
      throw error;
    }
  };

/** The text of the answer; undefined where none is due. */
export async function handleRequest(
  { isBatch, calls }: RpcRequest,
  handle: RpcHandler,
): Promise<string | undefined> {
  const answers: string[] = [];
  for (const call of calls) {
    const answer = await answerCall(call, handle);
    if (answer !== undefined) answers.push(answer);
  }
  if (answers.length === 0) return undefined;
  return isBatch ? `[${answers.join()}]` : answers[0];
}

async function answerCall(call: Call, handle: RpcHandler): Promise<string | undefined> {
  if (call.kind === 'rejected') return errorText(call.error, call.id);
  try {
    const result = await handle(call.method, call.params);
    return call.kind === 'call' ? formatJson({ jsonrpc: '2.0', result, id: call.id }) : undefined;
  } catch (error) {
    const refusal = hasCode(error, 'RPC_REFUSAL') ? error : internalError();
    return call.kind === 'call' ? errorText(refusal, call.id) : undefined;
  }
}

function errorText({ context }: CodedError<'RPC_REFUSAL'>, id: Id): string {
  const { rpcCode: code, reason: message, data } = context;
  return formatJson({ jsonrpc: '2.0', error: { code, message, data }, id });
}

/** Members that the protocol does not know make a call invalid, as they do for a node. */
function parseCall(value: unknown): Call {
  const call = isObject(value) ? value : {};
  const id = call['id'];
  const named = isId(id) ? id : null;
  const { jsonrpc, method, params } = call;
  const isWellFormed =
    typeof method === 'string' &&
    (id === undefined || isId(id)) &&
    (jsonrpc === undefined || jsonrpc === '2.0') &&
    (params === undefined || typeof params === 'object') &&
    Object.keys(call).every((name) => MEMBERS.includes(name));
  if (!isWellFormed) return { kind: 'rejected', id: named, error: invalidRequest() };
  if (jsonrpc === undefined) {
    const error = invalidRequest('Unsupported JSON-RPC protocol version');
    return { kind: 'rejected', id: named, error };
  }
  const given = params ?? undefined;
  if (!isId(id)) return { kind: 'notification', method, params: given };
  return { kind: 'call', id, method, params: given };
}

const isId = (id: unknown): id is Id =>
  id === null || typeof id === 'string' || (Number.isSafeInteger(id) && Number(id) >= 0);

const refusedWhole = (error: CodedError<'RPC_REFUSAL'>): RpcRequest => ({
  isBatch: false,
  calls: [{ kind: 'rejected', id: null, error }],
});

/** Undefined for what is not JSON. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
