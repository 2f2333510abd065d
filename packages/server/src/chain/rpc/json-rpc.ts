import { type Slot, toSlot } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { isResponseObject, parseJson, requireObject, requireSlot } from './response-values.ts';
import { type RpcError, toSourceError } from './rpc-errors.ts';
import {
  exchangeText,
  openRpcEndpoint,
  type RpcEndpoint,
  type RpcExchange,
} from './rpc-exchange.ts';

export type RpcCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Longest time without data, before the response and within it. */
  readonly timeoutMs: number;
  /** The `minContextSlot` of the parameters, for the error of a node that is behind it. */
  readonly minSlot?: Slot | undefined;
  /** Transforms the response text before it is parsed. */
  readonly transformText?: (text: string) => string;
  /** Receives each element of the result's array. The returned array is then empty. */
  readonly onElement?: (text: string) => void;
};

/** Sends one request and returns its `result`. Throws SOURCE_UNAVAILABLE, SOURCE_LAGS or SOURCE_REFUSES. */
export type JsonRpc = (call: RpcCall) => Promise<unknown>;

const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** Calls to an endpoint whose calls are not counted. */
export const createJsonRpc = (url: EndpointUrl, name: string): JsonRpc =>
  createRpcCalls(openRpcEndpoint(url, name));

export function createRpcCalls(endpoint: RpcEndpoint): JsonRpc {
  const { meter, name } = endpoint;
  let lastId = 0;
  const send = async (call: RpcCall, onTransferred?: RpcExchange['onTransferred']) => {
    lastId += 1;
    try {
      return await sendCall(endpoint, { ...call, id: lastId, onTransferred });
    } catch (error) {
      throw error instanceof CodedError ? wrapAsSourceError(error, name) : error;
    }
  };
  if (meter === undefined) return (call) => send(call);
  return (call) =>
    meter.measure({ method: call.method, calls: 1 }, (onTransferred) => send(call, onTransferred));
}

async function sendCall(
  endpoint: RpcEndpoint,
  call: RpcCall & Pick<RpcExchange, 'onTransferred'> & { readonly id: number },
): Promise<unknown> {
  const { url, name } = endpoint;
  const { id, method, params, minSlot, transformText = (text) => text } = call;
  const elements = collectElements(call.onElement);
  const envelope = await exchangeText(endpoint, {
    text: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    timeoutMs: call.timeoutMs,
    onElement: call.onElement && elements.add,
    onTransferred: call.onTransferred,
  });
  const response = requireObject(parseJson(transformText(envelope), 'response'), 'response');
  const { result, error } = response;
  if (error !== undefined && error !== null) {
    const lag = parseLagError(error, minSlot, name);
    throw lag ?? toSourceError(parseRpcError(error, url), name, method);
  }
  if (result === undefined) {
    const reason = 'its response has no result';
    throw new CodedError('SOURCE_UNAVAILABLE', { source: name, reason });
  }
  elements.check();
  return result;
}

/** Parses the `error` of a response and redacts its message. */
export function parseRpcError(error: unknown, url: EndpointUrl): RpcError {
  const { code, message } = requireObject(error, 'error of the response');
  return {
    code: typeof code === 'number' ? code : 0,
    message: url.redact(typeof message === 'string' ? message : ''),
  };
}

function parseLagError(
  error: unknown,
  minSlot: Slot | undefined,
  source: string,
): CodedError | undefined {
  const { code, data } = requireObject(error, 'error of the response');
  if (code !== MIN_CONTEXT_SLOT_NOT_REACHED || minSlot === undefined) return undefined;
  const slot = isResponseObject(data)
    ? requireSlot(data['contextSlot'] ?? 0, 'slot of the node')
    : toSlot(0n);
  return new CodedError('SOURCE_LAGS', { source, slot, minSlot });
}

/** Treats a malformed response as unavailability, because a retry may succeed. */
export function wrapAsSourceError(error: CodedError, source: string): CodedError {
  if (error.code !== 'MALFORMED_DATA' && error.code !== 'INVALID_ADDRESS') return error;
  const reason = error.message.replace(/\.$/, '');
  return new CodedError('SOURCE_UNAVAILABLE', { source, reason }, error);
}

/** Passes elements on until one fails. `check` throws that error, after errors of the node were handled. */
function collectElements(onElement: ((text: string) => void) | undefined) {
  let failure: unknown;
  return {
    add(text: string): void {
      if (failure !== undefined) return;
      try {
        onElement?.(text);
      } catch (error) {
        failure = error;
      }
    },
    check(): void {
      if (failure !== undefined) throw failure;
    },
  };
}

/** Undefined if the node does not support the request. */
export async function undefinedIfRejected<Value>(
  request: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await request;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
    throw error;
  }
}
