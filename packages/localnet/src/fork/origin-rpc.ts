import { setTimeout as pause } from 'node:timers/promises';
import { formatError, splitCredentials } from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';

const TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/** JSON-RPC error codes of a node that is healthy but not there yet. */
const NODE_BEHIND = -32_005;
const MIN_CONTEXT_SLOT = -32_016;

type RpcAnswer = {
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
};

/** Waits for a time before the next attempt. */
export type Pause = (ms: number) => Promise<unknown>;

/**
 * Calls a node of the cluster that is forked. Repeats a call that failed for a reason that passes: no connection, status
 * 429 or 5xx, a node that is behind. Messages name the host only, because URLs of providers have keys in them.
 */
export class OriginRpc {
  readonly host: string;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #pause: Pause;

  constructor(url: string | URL, wait: Pause = pause) {
    if (!URL.canParse(`${url}`) || !/^https?:$/.test(new URL(url).protocol)) {
      const accepts = 'the http or https URL of a Solana RPC node';
      throw new CodedError('INVALID_SETTING', { name: 'fork', value: `${url}`, accepts });
    }
    const split = splitCredentials(new URL(url));
    this.#url = split.url;
    this.#headers = split.headers;
    this.#pause = wait;
    this.host = split.url.host;
  }

  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(method, params);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTransient(error)) throw error;
        const { retryAfterMs = FIRST_PAUSE_MS * 2 ** attempt } = error.context;
        await this.#pause(Math.min(retryAfterMs, MAX_PAUSE_MS));
      }
    }
  }

  async #send(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await this.#post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const { result, error } = (await this.#read(() => response.json())) as RpcAnswer;
    if (error === undefined) return result;
    const reason = `${method}: ${String(error.message)}`;
    if (error.code === NODE_BEHIND || error.code === MIN_CONTEXT_SLOT) {
      throw new CodedError('SOURCE_UNAVAILABLE', { source: this.host, reason });
    }
    throw new CodedError('SOURCE_REFUSES', { source: this.host, reason });
  }

  async #post(body: string): Promise<Response> {
    const response = await this.#read(() =>
      fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#headers },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    );
    if (response.ok) return response;
    await response.body?.cancel();
    const reason = `HTTP status ${response.status}`;
    if (response.status !== 429 && response.status < 500) {
      throw new CodedError('SOURCE_REFUSES', { source: this.host, reason });
    }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new CodedError('SOURCE_UNAVAILABLE', {
      source: this.host,
      reason,
      ...(seconds >= 0 && { retryAfterMs: seconds * 1_000 }),
    });
  }

  async #read<Value>(read: () => Promise<Value>): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      const reason = formatError(error).replaceAll(`${this.#url}`, this.host);
      throw new CodedError('SOURCE_UNAVAILABLE', { source: this.host, reason }, error);
    }
  }
}

const isTransient = (error: unknown): error is CodedError<'SOURCE_UNAVAILABLE'> =>
  error instanceof CodedError && error.code === 'SOURCE_UNAVAILABLE';
