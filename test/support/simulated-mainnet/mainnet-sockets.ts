import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { createSeededRandom, type SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { handleRequest, parseRpcRequest } from '#localnet/rpc/server/json-rpc.ts';
import type { MainnetNode } from './mainnet-node.ts';
import { MainnetSubscriptions } from './mainnet-subscriptions.ts';
import {
  NO_NOTIFICATION_FAULTS,
  type NotificationFaultSettings,
  NotificationFaults,
} from './notification-faults.ts';
import type { Traffic } from './traffic.ts';

/** A slow client is disconnected at this limit. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;
const METHOD = /"method":"(\w+)"/;

type Connection = {
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  readonly subscriptions: MainnetSubscriptions;
  readonly faults: NotificationFaults;
};

/** WebSockets of the node. They can be dropped and rejected, and their notifications doubled and delayed. */
export class MainnetSockets {
  readonly #node: MainnetNode;
  readonly #traffic: Traffic;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Connection>();
  readonly #random: SeededRandom;
  faults: NotificationFaultSettings = NO_NOTIFICATION_FAULTS;
  isRejecting = false;

  constructor(node: MainnetNode, traffic: Traffic) {
    this.#node = node;
    this.#traffic = traffic;
    this.#random = createSeededRandom(`${node.seed}/notifications`);
    node.bank.onSlot(() => this.#notify());
  }

  get count(): number {
    return this.#connections.size;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.isRejecting) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) =>
      this.#serve(webSocket, socket),
    );
  }

  dropAll(): void {
    for (const { webSocket } of this.#connections) webSocket.terminate();
  }

  /** Sends what is late. */
  flush(): void {
    for (const connection of this.#connections) this.#send(connection, connection.faults.flush());
  }

  close(): void {
    this.dropAll();
    this.#server.close();
  }

  #serve(webSocket: WebSocket, socket: Duplex): void {
    const subscriptions = new MainnetSubscriptions(this.#node);
    const faults = new NotificationFaults(this.#random);
    const connection = { webSocket, socket, subscriptions, faults };
    this.#connections.add(connection);
    webSocket.on('close', () => this.#connections.delete(connection));
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('message', (data) => {
      this.#respond(connection, data.toString()).catch(() => webSocket.terminate());
    });
  }

  async #respond({ webSocket, subscriptions }: Connection, text: string): Promise<void> {
    const handle = (method: string, params: unknown) => {
      this.#traffic.add(method, { calls: 1 });
      return subscriptions.handle(method, params);
    };
    const response = await handleRequest(parseRpcRequest(text), handle);
    const method = METHOD.exec(text)?.[1] ?? 'unknown';
    this.#traffic.add(method, { bytes: text.length + (response?.length ?? 0) });
    if (response !== undefined) webSocket.send(response);
  }

  #notify(): void {
    const { slot } = this.#node.bank;
    for (const connection of this.#connections) {
      const texts = connection.subscriptions.poll();
      this.#send(connection, connection.faults.deliver(texts, slot, this.faults));
    }
  }

  /** The messages of a slot are one write. */
  #send({ webSocket, socket }: Connection, texts: readonly string[]): void {
    if (webSocket.bufferedAmount > MAX_BUFFERED_BYTES) webSocket.terminate();
    if (webSocket.readyState !== webSocket.OPEN) return;
    socket.cork();
    for (const text of texts) {
      webSocket.send(text);
      const method = METHOD.exec(text)?.[1] ?? 'unknown';
      this.#traffic.add(method, { calls: 1, bytes: text.length });
    }
    socket.uncork();
  }
}
