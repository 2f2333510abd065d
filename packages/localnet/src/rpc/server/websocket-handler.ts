import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@tidegate/core/base';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RpcNode } from '../rpc-node.ts';
import { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { AccessCheck } from './access-check.ts';
import { handleRequest, parseRpcRequest, requestMethods, withErrorLog } from './json-rpc.ts';

const MAX_MESSAGE_BYTES = 64 * 1024;
/** A slow client is disconnected at this limit, to protect memory. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

type WebSocketHandlerOptions = {
  readonly node: RpcNode;
  readonly log: Logger;
  readonly access: AccessCheck;
};

type Connection = { readonly subscriptions: Subscriptions; readonly socket: Duplex };

/** Serves the subscriptions of a node over WebSockets. */
export class WebSocketHandler {
  readonly #node: RpcNode;
  readonly #log: Logger;
  readonly #access: AccessCheck;
  readonly #server: WebSocketServer;
  readonly #connections = new Map<WebSocket, Connection>();
  readonly #unsubscribe: () => void;

  constructor({ node, log, access }: WebSocketHandlerOptions) {
    this.#node = node;
    this.#log = log;
    this.#access = access;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
    this.#unsubscribe = node.bank.onSlot(() => this.#notify());
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#access(request.headers) !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    if (this.#node.faults.webSockets === 'refuse') {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) =>
      this.#serve(webSocket, socket),
    );
  }

  close(): void {
    this.#unsubscribe();
    this.#node.dropWebSockets();
    this.#server.close();
  }

  #serve(webSocket: WebSocket, socket: Duplex): void {
    const subscriptions = new Subscriptions(this.#node);
    this.#connections.set(webSocket, { subscriptions, socket });
    this.#node.webSockets.add(webSocket);
    webSocket.on('close', () => {
      this.#connections.delete(webSocket);
      this.#node.webSockets.delete(webSocket);
    });
    // A protocol error; `close` follows.
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('message', (data) => {
      this.#handleMessage(webSocket, subscriptions, data.toString()).catch(() =>
        webSocket.terminate(),
      );
    });
  }

  async #handleMessage(
    webSocket: WebSocket,
    subscriptions: Subscriptions,
    text: string,
  ): Promise<void> {
    const handle = withErrorLog(this.#log, (method, params) =>
      subscriptions.handle(method, params),
    );
    const isClosed = () => webSocket.readyState !== webSocket.OPEN;
    const request = parseRpcRequest(text);
    const response = await handleRequest(request, handle, isClosed);
    if (response !== undefined) this.#send(webSocket, response);
    // a transaction that has landed already: no further slot may close to report it
    const isReported =
      this.#node.isInstant && requestMethods(request).includes('signatureSubscribe');
    if (!isReported) return;
    for (const notification of subscriptions.poll()) this.#send(webSocket, notification);
  }

  #notify(): void {
    for (const [webSocket, { subscriptions, socket }] of this.#connections) {
      // the messages of a slot are one write
      socket.cork();
      for (const text of subscriptions.poll()) this.#send(webSocket, text);
      socket.uncork();
    }
  }

  #send(webSocket: WebSocket, text: string): void {
    if (this.#node.faults.webSockets === 'mute') return;
    if (webSocket.bufferedAmount > MAX_BUFFERED_BYTES) webSocket.terminate();
    else webSocket.send(text);
  }
}
