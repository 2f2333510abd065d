import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The way to a node, of which nobody behind it knows: cut, the node is as good as dead. */
export type BreakableProxy = {
  readonly rpcUrl: URL;
  readonly wsUrl: URL;
  /** Every connection breaks, and new ones are refused. */
  disconnect(): Promise<void>;
  /** On the same port as before. */
  reconnect(): Promise<void>;
};

export async function startProxy(nodeUrl: string): Promise<BreakableProxy> {
  const target = Number(new URL(nodeUrl).port);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    join(near, far, ends);
    join(far, near, ends);
  });
  const disconnect = async () => {
    for (const end of ends) end.destroy();
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

/** What comes from one goes to the other, and neither outlives it. */
function join(from: Socket, to: Socket, ends: Set<Socket>): void {
  ends.add(from);
  from.pipe(to);
  from.on('error', () => from.destroy());
  from.on('close', () => {
    ends.delete(from);
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
