import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../waiting/wait-until.ts';
import { FAST_START, programPath } from './program-path.ts';
import { temporaryFolderPath } from './run-folder.ts';
import { copySimulatedDay } from './simulated-day.ts';
import { type OnEnd, onTestEnd } from './test-scope.ts';

export type ProcessResult = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

export type RunningServer = {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly finished: Promise<ProcessResult>;
};

const READY_POLL_MS = 50;

type Environment = Readonly<Record<string, string>>;

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(onEnd = onTestEnd): string {
  const path = temporaryFolderPath('data-');
  // a process that was killed may still write for a moment
  onEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return path;
}

/** Runs the program until it exits. */
export async function runTidegate(
  args: readonly string[],
  env: Environment = {},
): Promise<ProcessResult> {
  const { DATA_DIR = temporaryFolder() } = env;
  return start(args, { ...env, DATA_DIR }).finished;
}

/**
 * Starts `tidegate serve` on a free port and waits for its URL. Kills it when the scope ends. The data
 * folder gets a simulated day first, unless it has one.
 */
export async function startServer(
  env: Environment = {},
  onEnd: OnEnd = onTestEnd,
): Promise<RunningServer> {
  const { DATA_DIR = temporaryFolder(onEnd) } = env;
  if (!existsSync(join(DATA_DIR, 'localnet'))) await copySimulatedDay(DATA_DIR, simulateDay);
  return startServerAsIs({ ...env, DATA_DIR }, onEnd);
}

/** Starts `tidegate serve` like `startServer`, with the data folder as it is. */
export async function startServerAsIs(
  env: Environment,
  onEnd: OnEnd = onTestEnd,
): Promise<RunningServer> {
  const { DATA_DIR = temporaryFolder(onEnd) } = env;
  const server = start(['serve'], { PORT: '0', ...env, DATA_DIR });
  onEnd(() => {
    server.process.kill('SIGKILL');
  });
  return { ...server, dataDir: DATA_DIR, url: await announcedUrl(server) };
}

/** Starts a command that serves until a signal, with the data folder as it is, and waits for its URL. */
export async function startCommand(
  args: readonly string[],
  env: Environment,
  onEnd: OnEnd = onTestEnd,
): Promise<RunningServer> {
  const dataDir = temporaryFolder(onEnd);
  const server = start(args, { PORT: '0', ...env, DATA_DIR: dataDir });
  onEnd(() => {
    server.process.kill('SIGKILL');
  });
  return { ...server, dataDir, url: await announcedUrl(server) };
}

export type LocalnetAddresses = Readonly<
  Record<'rpcUrl' | 'wsUrl' | 'wallet' | 'obligation' | 'vault' | 'market', string>
>;

/** Starts `tidegate localnet` with one simulated day. */
export async function startLocalnetProcess(onEnd: OnEnd = onTestEnd): Promise<LocalnetAddresses> {
  const DATA_DIR = temporaryFolder(onEnd);
  await copySimulatedDay(DATA_DIR, simulateDay);
  const localnet = start(['localnet'], { DATA_DIR });
  onEnd(() => {
    localnet.process.kill('SIGKILL');
  });
  const failed = localnet.finished.then(({ err }) => Promise.reject(new Error(err)));
  const rpcUrl = await Promise.race([localnet.localnetUrl, failed]);
  const find = (pattern: RegExp): string => pattern.exec(localnet.err())?.[1] ?? '';
  return {
    rpcUrl,
    wsUrl: find(/WebSocket: (\S+)\)/),
    wallet: find(/^ {2}wallet +(\S+)/m),
    obligation: find(/^ {2}obligation +(\S+)/m),
    vault: find(/^ {2}vault +(\S+)/m),
    market: find(/^ {2}market +(\S+)/m),
  };
}

/** Starts `tidegate serve` with an empty data folder and waits until it listens. */
export async function startSimulation(env: Environment): Promise<RunningServer> {
  const { DATA_DIR: dataDir = temporaryFolder() } = env;
  const server = start(['serve'], { PORT: '0', ...env, DATA_DIR: dataDir });
  onTestEnd(() => {
    server.process.kill('SIGKILL');
  });
  return { ...server, dataDir, url: await server.listening };
}

export async function waitUntilReady(url: string): Promise<void> {
  const isReady = async () => (await fetch(`${url}/ready`)).status === 200;
  await waitUntil(isReady, `${url} is ready`, READY_POLL_MS);
}

/** Creates a data folder with one simulated day. */
export async function simulatedDataDir(): Promise<string> {
  const folder = temporaryFolder();
  await copySimulatedDay(folder, simulateDay);
  return folder;
}

async function simulateDay(folder: string): Promise<void> {
  const server = start(['serve'], { PORT: '0', DATA_DIR: folder });
  const url = await announcedUrl(server);
  await waitUntilReady(url);
  server.process.kill('SIGTERM');
  const { code, err } = await server.finished;
  if (code !== 0) throw new Error(`the server exited: ${err}`);
}

const announcedUrl = ({ announced, finished }: ReturnType<typeof start>): Promise<string> =>
  Promise.race([
    announced,
    finished.then(({ err }) => Promise.reject(new Error(`the server exited: ${err}`))),
  ]);

/** A free port, a short history, and no proxy to wait for at the end. */
const defaultEnvironment: Environment = {
  LOCALNET_RPC_PORT: '0',
  LOCALNET_DAYS: '1',
  DRAIN_SECONDS: '0',
};

function start(args: readonly string[], env: Environment & { readonly DATA_DIR: string }) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [FAST_START, programPath, ...args], {
    env: { PATH, ...defaultEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const urlIn = (line: RegExp) =>
    new Promise<string>((resolve) => {
      child.stderr.on('data', () => {
        const url = line.exec(err)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
  const listening = urlIn(/^Tidegate is starting at (\S+)/m);
  const announced = urlIn(/^Tidegate is at (\S+)/m);
  const localnetUrl = urlIn(/^Localnet is at (\S+) [\s\S]*^ {2}market +\S+/m);
  const finished = once(child, 'close').then(([code]): ProcessResult => ({ code, out, err }));
  const texts = { out: () => out, err: () => err };
  return { process: child, listening, announced, localnetUrl, finished, ...texts };
}
