import { CodedError } from '../../errors.ts';
import type { EndpointMeter, TransferredBytes } from '../budget/endpoint-meter.ts';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { createHttpPost, type HttpPost } from './http-post.ts';
import { ResponseSplitter } from './response-splitter.ts';
import { toStatusError } from './rpc-errors.ts';

/** What calls to one endpoint share. */
export type RpcEndpoint = {
  readonly url: EndpointUrl;
  /** For errors. */
  readonly name: string;
  readonly post: HttpPost;
  /** Counts and admits calls; undefined if nothing is counted. */
  readonly meter: EndpointMeter | undefined;
};

export type RpcExchange = {
  readonly text: string;
  /** Longest time without data, before the response and within it. */
  readonly timeoutMs: number;
  /** Receives each element of the array in `result`. The returned text has an empty array instead. */
  readonly onElement?: ((text: string) => void) | undefined;
  readonly onTransferred?: ((bytes: TransferredBytes) => void) | undefined;
};

export const openRpcEndpoint = (
  url: EndpointUrl,
  name: string,
  meter?: EndpointMeter,
): RpcEndpoint => ({ url, name, post: createHttpPost(url), meter });

/** Sends a text and returns the text of the response. Throws SOURCE_UNAVAILABLE or SOURCE_REFUSES. */
export async function exchangeText(endpoint: RpcEndpoint, exchange: RpcExchange): Promise<string> {
  const { post, name } = endpoint;
  const { text, timeoutMs, onElement, onTransferred } = exchange;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs).unref();
  let transferred: (() => TransferredBytes) | undefined;
  try {
    const response = await post(text, timeout.signal);
    const { status, retryAfter, body } = response;
    transferred = response.transferred;
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
    const reason = timeout.signal.aborted
      ? `no data for ${timeoutMs} ms`
      : `the connection failed${codeInParentheses(error)}`;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: name, reason }, error);
  } finally {
    clearTimeout(timer);
    if (transferred !== undefined) onTransferred?.(transferred());
  }
}

function codeInParentheses(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${error.code})` : '';
}
