import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { CodedError } from '../../errors/index.ts';

export const HOST = '127.0.0.1';

type ReservedPorts = { release(): Promise<void> };

/**
 * Holds the two ports of a node until it runs, so that no other process takes them. Closes each connection at once.
 * Fails if one is in use; port 0 needs none.
 */
export async function reservePorts(port: number): Promise<ReservedPorts> {
  const servers: Server[] = [];
  const release = async (): Promise<void> => {
    for (const server of servers.splice(0)) {
      const closed = once(server, 'close');
      server.close();
      await closed;
    }
  };
  try {
    for (const candidate of port === 0 ? [] : [port, port + 1]) {
      const server = createServer((socket) => socket.destroy());
      await listenOn(server, candidate);
      servers.push(server);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/** Fails early if a port is in use. */
export async function requireFreePorts(port: number): Promise<void> {
  const { release } = await reservePorts(port);
  await release();
}

export async function listenOn(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    throw new CodedError('ADDRESS_IN_USE', { host: HOST, port }, error);
  }
}
