import { formatError } from '@tidegate/core/base';
import { WebSocket } from 'ws';
import { CodedError, hasCode } from '../../errors.ts';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { parseRpcError } from '../rpc/json-rpc.ts';
import { isResponseObject, parseJson, requireObject } from '../rpc/response-values.ts';
import { toSourceError } from '../rpc/rpc-errors.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';

export type RpcSocketOptions = {
  readonly url: EndpointUrl;
  readonly name: string;
  /** Timeout of the connection and of each request. */
  readonly timeoutMs: number;
  /** Ping interval. After two intervals without data the connection counts as broken. */
  readonly pingMs: number;
  /** Called once, unless `close` was called. */
  readonly onClosed: (reason: string) => void;
  readonly alarms?: SourceAlarms | undefined;
};

/** Receives a notification's `result` and its JSON text. */
export type OnNotification = (result: unknown, text: string) => void;

type PendingRequest = {
  readonly onResponse: (response: Readonly<Record<string, unknown>>) => void;
  readonly onClosed: (reason: string) => void;
  /** By default the connection fails without a response. */
  readonly limit?: {
    readonly timeoutMs: number;
    readonly onTimeout: (reason: string) => void;
  };
};

type Notification = {
  readonly subscription: number | string;
  readonly result: unknown;
  readonly text: string;
};

/** Notifications that wait for the response to their subscription. */
const MAX_EARLY = 1_000;
/** Ended subscriptions whose last notifications may still arrive. */
const MAX_ENDED = 10_000;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** JSON-RPC over one WebSocket, with requests and subscriptions. */
export class RpcSocket {
  readonly #options: RpcSocketOptions;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #subscribers = new Map<number | string, OnNotification>();
  readonly #ended = new Set<number | string>();
  /** Subscriptions without a response. */
  #subscribing = 0;
  #early: Notification[] = [];
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
    const method = `${kind}Subscribe`;
    this.#subscribing += 1;
    return new Promise((resolve, reject) => {
      this.#request(method, params, {
        // synchronous, because the first notification may arrive in the same packet as the response
        onResponse: ({ result, error }) => {
          this.#subscribing -= 1;
          if (typeof result === 'number' || typeof result === 'string') {
            this.#subscribers.set(result, onNotification);
            resolve(() => this.#unsubscribe(kind, result));
          } else reject(this.#toResponseError(error, method));
          this.#deliverEarly();
        },
        onClosed: (reason) => reject(this.#unavailable(reason)),
      });
    });
  }

  /** Resolves to the result of a method that is not a subscription. A node that does not respond stays connected. */
  call(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => reject(this.#unavailable(reason));
      this.#request(method, params, {
        onResponse: ({ result, error }) =>
          result === undefined ? reject(this.#toResponseError(error, method)) : resolve(result),
        onClosed: fail,
        limit: { timeoutMs, onTimeout: fail },
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
    const onNotification = this.#subscribers.get(subscription);
    if (onNotification !== undefined) onNotification(result, text);
    else if (!this.#ended.has(subscription)) {
      this.#early.push({ subscription, result, text });
      if (this.#subscribing === 0 || this.#early.length > MAX_EARLY)
        this.#failUnknown(subscription);
    }
  }

  /** A notification may arrive before the response that names its subscription. */
  #deliverEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const each of early) {
      const onNotification = this.#subscribers.get(each.subscription);
      if (onNotification !== undefined) onNotification(each.result, each.text);
      else this.#early.push(each);
    }
    const [unknown] = this.#early;
    if (unknown !== undefined && this.#subscribing === 0) this.#failUnknown(unknown.subscription);
  }

  /** It belongs to a subscription that this side lost, so updates are missing; a new connection subscribes again. */
  #failUnknown(subscription: number | string): void {
    const reason = `it sent a notification of the unknown subscription ${subscription}`;
    this.#options.alarms?.raise('subscription', this.#options.name, reason);
    this.fail(reason);
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
    const onTimeout = (reason: string) => this.fail(reason);
    const limit = pending.limit ?? { timeoutMs: this.#options.timeoutMs, onTimeout };
    setTimeout(() => {
      if (!this.#pending.has(id)) return;
      if (pending.limit !== undefined) this.#pending.delete(id);
      limit.onTimeout(`${method} had no response within ${limit.timeoutMs} ms`);
    }, limit.timeoutMs).unref();
  }

  #unsubscribe(kind: string, subscription: number | string): void {
    if (!this.#subscribers.delete(subscription)) return;
    this.#ended.add(subscription);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    const ignored = { onResponse: () => undefined, onClosed: () => undefined };
    this.#request(`${kind}Unsubscribe`, [subscription], ignored);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    this.#subscribers.clear();
    this.#early = [];
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    this.#socket.terminate();
    for (const { onClosed } of lost) onClosed(reason);
  }

  #toResponseError(error: unknown, method: string): CodedError {
    if (!isResponseObject(error)) return this.#unavailable('its response has no result');
    return toSourceError(parseRpcError(error, this.#options.url), this.#options.name, method);
  }

  #unavailable(reason: string): CodedError {
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.#options.name, reason });
  }
}
