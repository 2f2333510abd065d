import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createHttpHandler, type RpcHandlerOptions } from './http-handler.ts';
import { HOST, listenOn } from './reserved-ports.ts';
import { WebSocketHandler } from './websocket-handler.ts';

export type RpcUrls = { readonly rpcUrl: string; readonly wsUrl: string };

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
    this.#webSockets = new WebSocketHandler(options);
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
