import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy to a node. Disconnected, the node appears dead. */
export type BreakableProxy = {
  readonly rpcUrl: URL;
  readonly wsUrl: URL;
  /** Breaks all connections and rejects new ones. */
  disconnect(): Promise<void>;
  /** Listens on the same port again. */
  reconnect(): Promise<void>;
};

export async function startProxy(nodeUrl: string): Promise<BreakableProxy> {
  const target = Number(new URL(nodeUrl).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    forward(client, upstream, sockets);
    forward(upstream, client, sockets);
  });
  const disconnect = async () => {
    for (const socket of sockets) socket.destroy();
    await close(server);
  };
  await listen(server, 0);
  onTestFinished(disconnect);
  const { port } = server.address() as AddressInfo;
  return {
    rpcUrl: new URL(`http://127.0.0.1:${port}`),
    wsUrl: new URL(`ws://127.0.0.1:${port}`),
    disconnect,
    reconnect: () => listen(server, port),
  };
}

/** Forwards data until either side closes. */
function forward(from: Socket, to: Socket, sockets: Set<Socket>): void {
  sockets.add(from);
  from.pipe(to);
  from.on('error', () => from.destroy());
  from.on('close', () => {
    sockets.delete(from);
    to.destroy();
  });
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
}
