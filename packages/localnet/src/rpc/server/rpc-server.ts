import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { CodedError } from '@tidegate/core/base';
import { createHttpHandler, type RpcHandlerOptions } from './http-handler.ts';
import { WebSocketHandler } from './websocket-handler.ts';

const HOST = '127.0.0.1';

export type RpcUrls = { readonly rpcUrl: string; readonly wsUrl: string };

/** Fails early if a port is in use. */
export async function requireFreePorts(port: number): Promise<void> {
  for (const candidate of port === 0 ? [] : [port, port + 1]) {
    const server = createServer();
    await listenOn(server, candidate);
    server.close();
    await once(server, 'close');
  }
}

/**
 * One node on loopback. HTTP and WebSocket share a port; with an explicit port, WebSockets are also
 * served on the next one, where Solana clients expect them.
 */
export class RpcServer {
  readonly #servers: Server[] = [];
  readonly #options: RpcHandlerOptions;
  readonly #webSockets: WebSocketHandler;

  constructor(options: RpcHandlerOptions) {
    this.#options = options;
    this.#webSockets = new WebSocketHandler(options.node, options.log);
  }

  /** Port 0 means any free port. */
  async listen(port: number): Promise<RpcUrls> {
    try {
      const rpcPort = await this.#open(port);
      const wsPort = port === 0 ? rpcPort : await this.#open(port + 1);
      return { rpcUrl: `http://${HOST}:${rpcPort}`, wsUrl: `ws://${HOST}:${wsPort}` };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#webSockets.close();
    for (const server of this.#servers.splice(0)) {
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
    }
  }

  async #open(port: number): Promise<number> {
    const server = createServer(createHttpHandler(this.#options));
    server.on('upgrade', (request, socket, head) => {
      this.#webSockets.upgrade(request, socket, head);
    });
    this.#servers.push(server);
    await listenOn(server, port);
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : port;
  }
}

async function listenOn(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    throw new CodedError('ADDRESS_IN_USE', { host: HOST, port }, error);
  }
}
