import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startArguments } from './start-command.ts';

/** A server and the times of its start, in seconds. */
export type StartedServer = {
  readonly url: string;
  readonly process: ChildProcess;
  readonly listening: number;
  readonly ready: number;
};

const POLL_MS = 20;
const LONGEST_START_MS = 600_000;

/** Starts Tidegate as `npm start` does, and resolves when it is ready. The log goes to a file in the folder. */
export async function startServer(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  const port = await freePort();
  const log = openSync(join(folder, 'log'), 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, startArguments, {
    env: { PORT: `${port}`, LOCALNET_RPC_PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', log, log],
  });
  const url = `http://127.0.0.1:${port}`;
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  try {
    await waitFor(child, url, (status) => status !== undefined);
    const listening = seconds();
    await waitFor(child, url, (status) => status === 200);
    return { url, process: child, listening, ready: seconds() };
  } catch (error) {
    child.kill();
    throw error;
  }
}

export async function stopServer({ process: child }: StartedServer): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function waitFor(
  child: ChildProcess,
  url: string,
  isReached: (status: number | undefined) => boolean,
): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error('Tidegate ended while it started');
    const status = await fetch(`${url}/ready`).then(
      (response) => response.status,
      () => undefined,
    );
    if (isReached(status)) return;
    await pause(POLL_MS);
  }
  throw new Error(`not ready after ${LONGEST_START_MS / 1000} s`);
}

/** The address is known before the start, because the server announces it only when it is ready. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
