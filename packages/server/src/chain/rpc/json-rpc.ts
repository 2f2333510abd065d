import { CodedError, hasCode, type Slot, toSlot } from '@tidegate/core/base';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { createHttpPost } from './http-post.ts';
import { ResponseSplitter } from './response-splitter.ts';
import { isResponseObject, parseJson, requireObject, requireSlot } from './response-values.ts';

export type RpcCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Longest silence of the endpoint, before the answer and within it. */
  readonly timeoutMs: number;
  /** What `minContextSlot` of the parameters says, for the error of a node that is behind it. */
  readonly minSlot?: Slot | undefined;
  /** What is done to the text of the answer before it is parsed. */
  readonly transformText?: (text: string) => string;
  /** Gets each element of the list in the result, which is then empty in what is returned. */
  readonly onElement?: (text: string) => void;
};

/** Sends one request; returns its `result`. Fails with SOURCE_UNAVAILABLE, SOURCE_LAGS or SOURCE_REFUSES. */
export type JsonRpc = (call: RpcCall) => Promise<unknown>;

export type RpcError = { readonly code: number; readonly message: string };

const METHOD_NOT_FOUND = -32601;
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;
/**
 * What would be no better a second time: parse error, invalid request, unknown method, invalid parameters, no
 * index for this key, scan too large; a block that was cleaned up, is not there yet, or never was (five codes).
 */
const REFUSED = new Set([
  -32700, -32600, -32601, -32602, -32010, -32012, -32001, -32004, -32007, -32009, -32014, 401, 403,
  410, 413,
]);
const LONGEST_RETRY_AFTER_MS = 60_000;

export function createJsonRpc(url: EndpointUrl, name: string): JsonRpc {
  const unavailable = (reason: string, cause?: unknown) =>
    new CodedError('SOURCE_UNAVAILABLE', { source: name, reason }, cause);
  const post = createHttpPost(url);
  let lastId = 0;

  async function call(asked: RpcCall): Promise<unknown> {
    const elements = collector(asked.onElement);
    const envelope = await exchange(asked, asked.onElement && elements.take);
    const { method, minSlot, transformText = (text) => text } = asked;
    const { result, error } = requireObject(parseJson(transformText(envelope), 'answer'), 'answer');
    if (error !== undefined && error !== null) {
      throw lagOf(error, minSlot, name) ?? toSourceError(parseRpcError(error, url), name, method);
    }
    if (result === undefined) throw unavailable('its answer has no result');
    elements.check();
    return result;
  }

  /** The answer as text, less the elements that were handed out. */
  async function exchange(asked: RpcCall, onElement: RpcCall['onElement']): Promise<string> {
    const silence = new AbortController();
    const { method, params, timeoutMs } = asked;
    const timer = setTimeout(() => silence.abort(), timeoutMs).unref();
    try {
      lastId += 1;
      const text = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
      const { status, retryAfter, body } = await post(text, silence.signal);
      if (status < 200 || status > 299) {
        body.destroy();
        throw statusFailure(status, retryAfter, name);
      }
      const splitter = new ResponseSplitter(onElement);
      for await (const chunk of body) {
        timer.refresh();
        splitter.push(chunk);
      }
      return splitter.envelope();
    } catch (error) {
      if (error instanceof CodedError) throw error;
      if (silence.signal.aborted) throw unavailable(`silent for ${timeoutMs} ms`, error);
      throw unavailable(`the connection failed${codeInParentheses(error)}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  return async (asked) => {
    try {
      return await call(asked);
    } catch (error) {
      throw error instanceof CodedError ? wrapAsSourceError(error, name) : error;
    }
  };
}

/** The `error` of an answer, its message fit to be shown. */
export function parseRpcError(error: unknown, url: EndpointUrl): RpcError {
  const { code, message } = requireObject(error, 'error of the answer');
  return {
    code: typeof code === 'number' ? code : 0,
    message: url.redact(typeof message === 'string' ? message : ''),
  };
}

export function toSourceError(
  { code, message }: RpcError,
  source: string,
  method = 'the method',
): CodedError {
  const kind = REFUSED.has(code) ? 'SOURCE_REFUSES' : 'SOURCE_UNAVAILABLE';
  const words = code === METHOD_NOT_FOUND ? `it does not serve ${method}` : message;
  return new CodedError(kind, { source, reason: `${code} ${words}` });
}

function lagOf(error: unknown, minSlot: Slot | undefined, source: string): CodedError | undefined {
  const { code, data } = requireObject(error, 'error of the answer');
  if (code !== MIN_CONTEXT_SLOT_NOT_REACHED || minSlot === undefined) return undefined;
  const slot = isResponseObject(data)
    ? requireSlot(data['contextSlot'] ?? 0, 'slot of the node')
    : toSlot(0n);
  return new CodedError('SOURCE_LAGS', { source, slot, minSlot });
}

function statusFailure(status: number, retryAfter: string | undefined, source: string): CodedError {
  const reason = `status ${status}`;
  if (status !== 429 && status !== 408 && status < 500) {
    return new CodedError('SOURCE_REFUSES', { source, reason });
  }
  const seconds = Number(retryAfter ?? Number.NaN);
  const retryAfterMs = Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS);
  const context = retryAfterMs >= 0 ? { retryAfterMs } : {};
  return new CodedError('SOURCE_UNAVAILABLE', { source, reason, ...context });
}

/** An answer that makes no sense is as good as none: another endpoint, or the same later, may do better. */
export function wrapAsSourceError(error: CodedError, source: string): CodedError {
  if (error.code !== 'MALFORMED_DATA' && error.code !== 'INVALID_ADDRESS') return error;
  const reason = error.message.replace(/\.$/, '');
  return new CodedError('SOURCE_UNAVAILABLE', { source, reason }, error);
}

/** Elements are taken until one fails; an error of the node comes before that failure. */
function collector(onElement: ((text: string) => void) | undefined) {
  let failure: unknown;
  return {
    take(text: string): void {
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

/** Undefined for what the node does not serve. */
export async function unlessRefused<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
    throw error;
  }
}
