import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { FAST_START, programPath } from './program-path.ts';
import { temporaryFolderPath } from './run-folder.ts';
import { copySimulatedDay } from './simulated-day.ts';

export type ProcessResult = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

export type RunningServer = {
  readonly url: string;
  readonly process: ChildProcess;
  readonly out: () => string;
  readonly finished: Promise<ProcessResult>;
};

type Environment = Readonly<Record<string, string>>;

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const path = temporaryFolderPath('data-');
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs the program until it exits. */
export async function runTidegate(
  args: readonly string[],
  env: Environment = {},
): Promise<ProcessResult> {
  return start(args, env).finished;
}

/**
 * Starts `tidegate serve` on a free port and waits for its URL. Kills it after the test. The data
 * folder gets a simulated day first, unless it has one.
 */
export async function startServer(
  env: Environment = {},
  args: readonly string[] = [],
): Promise<RunningServer> {
  const { DATA_DIR = temporaryFolder() } = env;
  if (!existsSync(join(DATA_DIR, 'localnet'))) await copySimulatedDay(DATA_DIR, simulateDay);
  return startServerAsIs({ ...env, DATA_DIR }, args);
}

/** Starts `tidegate serve` like `startServer`, with the data folder as it is. */
export async function startServerAsIs(
  env: Environment,
  args: readonly string[] = [],
): Promise<RunningServer> {
  const server = start(['serve', ...args], { PORT: '0', ...env });
  onTestFinished(() => {
    server.process.kill('SIGKILL');
  });
  return { ...server, url: await announcedUrl(server) };
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
  while ((await fetch(`${url}/ready`)).status !== 200) await sleep(50);
  server.process.kill('SIGTERM');
  const { code, err } = await server.finished;
  if (code !== 0) throw new Error(`the server exited: ${err}`);
}

const announcedUrl = ({ announced, finished }: ReturnType<typeof start>): Promise<string> =>
  Promise.race([
    announced,
    finished.then(({ err }) => Promise.reject(new Error(`the server exited: ${err}`))),
  ]);

/** A free port, a short history and a temporary folder. */
const defaultEnvironment = (): Environment => ({
  LOCALNET_RPC_PORT: '0',
  LOCALNET_DAYS: '1',
  DATA_DIR: temporaryFolder(),
});

function start(args: readonly string[], env: Environment) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [FAST_START, programPath, ...args], {
    env: { PATH, ...defaultEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  let announce: (url: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    const url = /^Tidegate is at (\S+)/m.exec(err)?.[1];
    if (url !== undefined) announce(url);
  });
  const finished = once(child, 'close').then(([code]): ProcessResult => ({ code, out, err }));
  return { process: child, announced, finished, out: () => out };
}
