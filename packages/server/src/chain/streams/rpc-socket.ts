import { CodedError, formatError, hasCode } from '@tidegate/core/base';
import { WebSocket } from 'ws';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { parseRpcError, toSourceError } from '../rpc/json-rpc.ts';
import { isResponseObject, parseJson, requireObject } from '../rpc/response-values.ts';

export type RpcSocketOptions = {
  readonly url: EndpointUrl;
  readonly name: string;
  /** Longest wait for the connection, and for an answer. */
  readonly timeoutMs: number;
  /** How often the other side is asked for a sign of life; without one for two such times it is dead. */
  readonly pingMs: number;
  /** Once, with the reason; not for `close`. */
  readonly onClosed: (reason: string) => void;
};

/** A notification's `result`, and the text that it was in. */
export type OnNotification = (result: unknown, text: string) => void;

type Pending = {
  readonly onAnswer: (answer: Readonly<Record<string, unknown>>) => void;
  readonly onLost: (reason: string) => void;
};

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** JSON-RPC over one WebSocket: requests, and notifications by subscription. */
export class RpcSocket {
  readonly #options: RpcSocketOptions;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #subscribers = new Map<number | string, OnNotification>();
  #heartbeat: NodeJS.Timeout | undefined;
  #silentPings = 0;
  #lastId = 0;
  #isOver = false;

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
    await socket.#opened();
    return socket;
  }

  get isOpen(): boolean {
    return !this.#isOver;
  }

  /** Resolves to what ends the subscription. `kind`: `account`, `program` or `slot`. */
  subscribe(
    kind: string,
    params: readonly unknown[],
    onNotification: OnNotification,
  ): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.#request(`${kind}Subscribe`, params, {
        // At once, not in a later turn: the first notification may be in the same packet as the answer.
        onAnswer: ({ result, error }) => {
          if (typeof result !== 'number' && typeof result !== 'string') {
            reject(this.#refusal(error));
            return;
          }
          this.#subscribers.set(result, onNotification);
          resolve(() => this.#unsubscribe(kind, result));
        },
        onLost: (reason) => reject(this.#unavailable(reason)),
      });
    });
  }

  close(): void {
    this.#end('closed');
  }

  /** Ends it as if the other side had. */
  fail(reason: string): void {
    if (this.#isOver) return;
    this.#end(reason);
    this.#options.onClosed(reason);
  }

  #opened(): Promise<void> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let isOpen = false;
      socket.on('open', () => {
        isOpen = true;
        this.#heartbeat = setInterval(() => this.#beat(), this.#options.pingMs).unref();
        resolve();
      });
      socket.on('error', (error) => {
        const reason = this.#options.url.redact(formatError(error));
        if (isOpen) this.fail(reason);
        else reject(this.#unavailable(reason));
      });
      socket.on('close', (code) => this.fail(`the connection was closed (${code})`));
      socket.on('pong', () => {
        this.#silentPings = 0;
      });
      socket.on('message', (data) => this.#receive(String(data)));
    });
  }

  #beat(): void {
    if (this.#silentPings >= 2) {
      this.fail(`no sign of life for ${2 * this.#options.pingMs} ms`);
      return;
    }
    this.#silentPings += 1;
    this.#socket.ping();
  }

  #receive(text: string): void {
    if (this.#isOver) return;
    this.#silentPings = 0;
    try {
      const message = requireObject(parseJson(text, 'message'), 'message');
      const { id, params } = message;
      if (typeof id === 'number') this.#answer(id, message);
      else if (isResponseObject(params)) this.#notify(params, text);
    } catch (error) {
      if (!hasCode(error, 'MALFORMED_DATA') && !hasCode(error, 'INVALID_ADDRESS')) throw error;
      this.fail(error.message);
    }
  }

  #answer(id: number, message: Readonly<Record<string, unknown>>): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.onAnswer(message);
  }

  #notify({ subscription, result }: Readonly<Record<string, unknown>>, text: string): void {
    if (typeof subscription !== 'number' && typeof subscription !== 'string') return;
    this.#subscribers.get(subscription)?.(result, text);
  }

  #request(method: string, params: readonly unknown[], pending: Pending): void {
    if (this.#isOver) {
      pending.onLost('the connection was closed');
      return;
    }
    this.#lastId += 1;
    const id = this.#lastId;
    this.#pending.set(id, pending);
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const { timeoutMs } = this.#options;
    setTimeout(() => {
      if (this.#pending.has(id)) this.fail(`${method} had no answer within ${timeoutMs} ms`);
    }, timeoutMs).unref();
  }

  #unsubscribe(kind: string, subscription: number | string): void {
    if (!this.#subscribers.delete(subscription)) return;
    const ignored = { onAnswer: () => undefined, onLost: () => undefined };
    this.#request(`${kind}Unsubscribe`, [subscription], ignored);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#subscribers.clear();
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    this.#socket.terminate();
    for (const { onLost } of lost) onLost(reason);
  }

  #refusal(error: unknown): CodedError {
    if (!isResponseObject(error)) return this.#unavailable('its answer has no result');
    return toSourceError(parseRpcError(error, this.#options.url), this.#options.name);
  }

  #unavailable(reason: string): CodedError {
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.#options.name, reason });
  }
}
