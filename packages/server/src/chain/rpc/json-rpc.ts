import { CodedError, hasCode, type Slot, toSlot } from '@tidegate/core/base';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { createHttpPost } from './http-post.ts';
import { ResponseSplitter } from './response-splitter.ts';
import { isResponseObject, parseJson, requireObject, requireSlot } from './response-values.ts';
import { type RpcError, toSourceError, toStatusError } from './rpc-errors.ts';

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

/** A request that has ended. */
export type RpcCallObservation = {
  readonly method: string;
  /** Host of the endpoint. */
  readonly endpoint: string;
  readonly ms: number;
  /** Code of the error. */
  readonly error: string | undefined;
};

export type OnRpcCall = (call: RpcCallObservation) => void;

const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

export function createJsonRpc(url: EndpointUrl, name: string): JsonRpc {
  const unavailable = (reason: string, cause?: unknown) =>
    new CodedError('SOURCE_UNAVAILABLE', { source: name, reason }, cause);
  const post = createHttpPost(url);
  let lastId = 0;

  async function send(call: RpcCall): Promise<unknown> {
    const elements = collectElements(call.onElement);
    const envelope = await exchange(call, call.onElement && elements.add);
    const { method, minSlot, transformText = (text) => text } = call;
    const response = requireObject(parseJson(transformText(envelope), 'response'), 'response');
    const { result, error } = response;
    if (error !== undefined && error !== null) {
      const lag = parseLagError(error, minSlot, name);
      throw lag ?? toSourceError(parseRpcError(error, url), name, method);
    }
    if (result === undefined) throw unavailable('its response has no result');
    elements.check();
    return result;
  }

  /** Returns the response text without the elements that were passed to `onElement`. */
  async function exchange(call: RpcCall, onElement: RpcCall['onElement']): Promise<string> {
    const timeout = new AbortController();
    const { method, params, timeoutMs } = call;
    const timer = setTimeout(() => timeout.abort(), timeoutMs).unref();
    try {
      lastId += 1;
      const text = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
      const { status, retryAfter, body } = await post(text, timeout.signal);
      if (status < 200 || status > 299) {
        body.destroy();
        throw toStatusError(status, retryAfter, name);
      }
      const splitter = new ResponseSplitter(onElement);
      for await (const chunk of body) {
        timer.refresh();
        splitter.push(chunk);
      }
      return splitter.envelope();
    } catch (error) {
      if (error instanceof CodedError) throw error;
      if (timeout.signal.aborted) throw unavailable(`no data for ${timeoutMs} ms`, error);
      throw unavailable(`the connection failed${codeInParentheses(error)}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  return async (call) => {
    try {
      return await send(call);
    } catch (error) {
      throw error instanceof CodedError ? wrapAsSourceError(error, name) : error;
    }
  };
}

/** Reports every request. Without an observer, `rpc` itself. */
export function observeCalls(
  rpc: JsonRpc,
  endpoint: string,
  onCall: OnRpcCall | undefined,
): JsonRpc {
  if (onCall === undefined) return rpc;
  return async (call) => {
    const start = performance.now();
    let error: string | undefined = 'error';
    try {
      const result = await rpc(call);
      error = undefined;
      return result;
    } catch (thrown) {
      if (thrown instanceof CodedError) error = thrown.code;
      throw thrown;
    } finally {
      onCall({ method: call.method, endpoint, ms: performance.now() - start, error });
    }
  };
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

function codeInParentheses(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${error.code})` : '';
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
