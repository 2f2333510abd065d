import { CodedError, formatError, hasCode } from '@tidegate/core/base';
import { WebSocket } from 'ws';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { parseRpcError } from '../rpc/json-rpc.ts';
import { isResponseObject, parseJson, requireObject } from '../rpc/response-values.ts';
import { toSourceError } from '../rpc/rpc-errors.ts';

export type RpcSocketOptions = {
  readonly url: EndpointUrl;
  readonly name: string;
  /** Timeout of the connection and of each request. */
  readonly timeoutMs: number;
  /** Ping interval. After two intervals without data the connection counts as broken. */
  readonly pingMs: number;
  /** Called once, unless `close` was called. */
  readonly onClosed: (reason: string) => void;
};

/** Receives a notification's `result` and its JSON text. */
export type OnNotification = (result: unknown, text: string) => void;

type PendingRequest = {
  readonly onResponse: (response: Readonly<Record<string, unknown>>) => void;
  readonly onClosed: (reason: string) => void;
};

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** JSON-RPC over one WebSocket, with requests and subscriptions. */
export class RpcSocket {
  readonly #options: RpcSocketOptions;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #subscribers = new Map<number | string, OnNotification>();
  #heartbeat: NodeJS.Timeout | undefined;
  #unansweredPings = 0;
  #lastId = 0;
  #isClosed = false;

  private constructor(options: RpcSocketOptions) {
    this.#options = options;
    const { href, headers } = options.url;
    this.#socket = new WebSocket(href, {
      headers,
      handshakeTimeout: options.timeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
    });
  }

  static async open(options: RpcSocketOptions): Promise<RpcSocket> {
    const socket = new RpcSocket(options);
    await socket.#waitUntilOpen();
    return socket;
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Resolves to an unsubscribe function. `kind`: `account`, `program` or `logs`. */
  subscribe(
    kind: string,
    params: readonly unknown[],
    onNotification: OnNotification,
  ): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.#request(`${kind}Subscribe`, params, {
        // synchronous, because the first notification may arrive in the same packet as the response
        onResponse: ({ result, error }) => {
          if (typeof result !== 'number' && typeof result !== 'string') {
            reject(this.#toSubscriptionError(error, `${kind}Subscribe`));
            return;
          }
          this.#subscribers.set(result, onNotification);
          resolve(() => this.#unsubscribe(kind, result));
        },
        onClosed: (reason) => reject(this.#unavailable(reason)),
      });
    });
  }

  close(): void {
    this.#end('closed');
  }

  /** Closes the connection as if the server had closed it. */
  fail(reason: string): void {
    if (this.#isClosed) return;
    this.#end(reason);
    this.#options.onClosed(reason);
  }

  #waitUntilOpen(): Promise<void> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let isOpen = false;
      socket.on('open', () => {
        isOpen = true;
        this.#heartbeat = setInterval(() => this.#ping(), this.#options.pingMs).unref();
        resolve();
      });
      socket.on('error', (error) => {
        const reason = this.#options.url.redact(formatError(error));
        if (isOpen) this.fail(reason);
        else reject(this.#unavailable(reason));
      });
      socket.on('close', (code) => this.fail(`the connection was closed (${code})`));
      socket.on('pong', () => {
        this.#unansweredPings = 0;
      });
      socket.on('message', (data) => this.#receive(String(data)));
    });
  }

  #ping(): void {
    if (this.#unansweredPings >= 2) {
      this.fail(`no response to pings for ${2 * this.#options.pingMs} ms`);
      return;
    }
    this.#unansweredPings += 1;
    this.#socket.ping();
  }

  #receive(text: string): void {
    if (this.#isClosed) return;
    this.#unansweredPings = 0;
    try {
      const message = requireObject(parseJson(text, 'message'), 'message');
      const { id, params } = message;
      if (typeof id === 'number') this.#handleResponse(id, message);
      else if (isResponseObject(params)) this.#notify(params, text);
    } catch (error) {
      if (!hasCode(error, 'MALFORMED_DATA') && !hasCode(error, 'INVALID_ADDRESS')) throw error;
      this.fail(error.message);
    }
  }

  #handleResponse(id: number, message: Readonly<Record<string, unknown>>): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.onResponse(message);
  }

  #notify({ subscription, result }: Readonly<Record<string, unknown>>, text: string): void {
    if (typeof subscription !== 'number' && typeof subscription !== 'string') return;
    this.#subscribers.get(subscription)?.(result, text);
  }

  #request(method: string, params: readonly unknown[], pending: PendingRequest): void {
    if (this.#isClosed) {
      pending.onClosed('the connection was closed');
      return;
    }
    this.#lastId += 1;
    const id = this.#lastId;
    this.#pending.set(id, pending);
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const { timeoutMs } = this.#options;
    setTimeout(() => {
      if (this.#pending.has(id)) this.fail(`${method} had no response within ${timeoutMs} ms`);
    }, timeoutMs).unref();
  }

  #unsubscribe(kind: string, subscription: number | string): void {
    if (!this.#subscribers.delete(subscription)) return;
    const ignored = { onResponse: () => undefined, onClosed: () => undefined };
    this.#request(`${kind}Unsubscribe`, [subscription], ignored);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    this.#subscribers.clear();
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    this.#socket.terminate();
    for (const { onClosed } of lost) onClosed(reason);
  }

  #toSubscriptionError(error: unknown, method: string): CodedError {
    if (!isResponseObject(error)) return this.#unavailable('its response has no result');
    return toSourceError(parseRpcError(error, this.#options.url), this.#options.name, method);
  }

  #unavailable(reason: string): CodedError {
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.#options.name, reason });
  }
}
