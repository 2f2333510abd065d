import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@tidegate/core/base';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RpcNode } from '../rpc-node.ts';
import { Subscriptions } from '../subscriptions/subscriptions.ts';
import { handleRequest, parseRpcRequest, withErrorLog } from './json-rpc.ts';

const MAX_MESSAGE_BYTES = 64 * 1024;
/** A listener that does not keep up is cut off before it costs the others their memory. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** The subscriptions of a node, on every connection that is upgraded to it. */
export class WebSocketHandler {
  readonly #endpoint: RpcNode;
  readonly #log: Logger;
  readonly #server: WebSocketServer;
  readonly #subscriptions = new Map<WebSocket, Subscriptions>();
  readonly #stopListening: () => void;

  constructor(endpoint: RpcNode, log: Logger) {
    this.#endpoint = endpoint;
    this.#log = log;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
    this.#stopListening = endpoint.bank.onSlot(() => this.#notify());
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#endpoint.faults.webSockets === 'refuse') {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#serve(webSocket));
  }

  close(): void {
    this.#stopListening();
    this.#endpoint.dropWebSockets();
    this.#server.close();
  }

  #serve(webSocket: WebSocket): void {
    const subscriptions = new Subscriptions(this.#endpoint);
    this.#subscriptions.set(webSocket, subscriptions);
    this.#endpoint.webSockets.add(webSocket);
    webSocket.on('close', () => {
      this.#subscriptions.delete(webSocket);
      this.#endpoint.webSockets.delete(webSocket);
    });
    // a message that is no message: `close` follows
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('message', (data) => {
      this.#answer(webSocket, subscriptions, data.toString()).catch(() => webSocket.terminate());
    });
  }

  async #answer(webSocket: WebSocket, subscriptions: Subscriptions, text: string): Promise<void> {
    const handle = withErrorLog(this.#log, (method, params) =>
      subscriptions.handle(method, params),
    );
    const answer = await handleRequest(parseRpcRequest(text), handle);
    if (answer !== undefined) this.#send(webSocket, answer);
  }

  #notify(): void {
    for (const [webSocket, subscriptions] of this.#subscriptions) {
      for (const text of subscriptions.poll()) this.#send(webSocket, text);
    }
  }

  #send(webSocket: WebSocket, text: string): void {
    if (this.#endpoint.faults.webSockets === 'mute') return;
    if (webSocket.bufferedAmount > MAX_BUFFERED_BYTES) webSocket.terminate();
    else webSocket.send(text);
  }
}
