import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy to a node. Disconnected, the node appears dead. */
export type BreakableProxy = TcpProxy & { readonly rpcUrl: URL; readonly wsUrl: URL };

export type TcpProxy = {
  readonly port: number;
  /** Breaks all connections and rejects new ones. */
  disconnect(): Promise<void>;
  /** Listens on the same port again. */
  reconnect(): Promise<void>;
  /** Leaves all connections open and forwards nothing, as a network that drops packets. New ones are rejected. */
  freeze(): void;
};

export async function startProxy(nodeUrl: string): Promise<BreakableProxy> {
  const target = Number(new URL(nodeUrl).port);
  const proxy = await startTcpProxy(() => connect(target, '127.0.0.1'));
  return {
    ...proxy,
    rpcUrl: new URL(`http://127.0.0.1:${proxy.port}`),
    wsUrl: new URL(`ws://127.0.0.1:${proxy.port}`),
  };
}

export async function startTcpProxy(connectUpstream: () => Socket): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connectUpstream();
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
    port,
    disconnect,
    reconnect: () => listen(server, port),
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
      // it closes when its connections are closed
      server.close();
    },
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
