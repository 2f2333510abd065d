import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../settings/settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Whether the server can listen, or already does. */
export async function checkPorts(config: Config): Promise<readonly Finding[]> {
  const { host, port, localnetRpcPort, rpcUrl, unset } = config;
  const isEmbedded = rpcUrl.length === 0 && localnetRpcPort !== 0;
  const localnet = isEmbedded ? [localnetRpcPort, localnetRpcPort + 1] : [];
  return Promise.all([
    checkPort({ host, port, setting: 'PORT', isDefault: unset.has('port') }),
    ...localnet.map((each) =>
      checkPort({
        host: '127.0.0.1',
        port: each,
        setting: 'LOCALNET_RPC_PORT',
        isDefault: unset.has('localnetRpcPort'),
      }),
    ),
  ]);
}

type Listener = {
  readonly host: string;
  readonly port: number;
  readonly setting: 'PORT' | 'LOCALNET_RPC_PORT';
  /** Whether `tidegate serve` uses another port if it is in use. */
  readonly isDefault: boolean;
};

async function checkPort({ host, port, setting, isDefault }: Listener): Promise<Finding> {
  const name = `port ${port}`;
  if (port === 0) return ok(name, `${setting} selects a free port.`);
  const code = await tryToListen(host, port);
  if (code === undefined) return ok(name, `${host}:${port} is free.`);
  if (code !== 'EADDRINUSE') {
    const change = `Change ${setting === 'PORT' ? 'HOST or PORT' : setting}.`;
    return problem(name, `The server cannot listen on ${host}:${port} (${code})`, change);
  }
  if (setting === 'PORT' && (await isTidegate(host, port))) {
    return ok(name, `A Tidegate server already listens on ${host}:${port}.`);
  }
  if (isDefault) {
    const message = `${host}:${port} is in use, so the server uses the next free port`;
    return warning(name, message, `Set ${setting} to a port of your choice.`);
  }
  const change = `Stop the process that listens there, or change ${setting}.`;
  return problem(name, `${host}:${port} is in use`, change);
}

/** The error code; undefined if it worked. */
async function tryToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    server.close();
  }
}

const HEALTH_TIMEOUT_MS = 2_000;

async function isTidegate(host: string, port: number): Promise<boolean> {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  const name = local.includes(':') && !local.startsWith('[') ? `[${local}]` : local;
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    const response = await fetch(`http://${name}:${port}/health`, { signal });
    return response.ok && response.headers.has('x-request-id');
  } catch {
    return false;
  }
}
