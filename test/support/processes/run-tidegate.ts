import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { programPath } from './build-once.ts';

export type ProcessResult = { readonly code: number | null; readonly out: string; readonly err: string };

export type RunningServer = {
  readonly url: string;
  readonly process: ChildProcess;
  readonly out: () => string;
  readonly finished: Promise<ProcessResult>;
};

type Environment = Readonly<Record<string, string>>;

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidegate-test-'));
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

/** Starts `tidegate serve` on a free port and waits for its URL. Kills it after the test. */
export async function startServer(
  env: Environment,
  args: readonly string[] = [],
): Promise<RunningServer> {
  const server = start(['serve', ...args], { PORT: '0', ...env });
  onTestFinished(() => {
    server.process.kill('SIGKILL');
  });
  const url = await Promise.race([
    server.announced,
    server.finished.then(({ err }) => Promise.reject(new Error(`the server exited: ${err}`))),
  ]);
  return { ...server, url };
}

/** A free port, a short history and a temporary folder. */
const defaultEnvironment = (): Environment => ({
  LOCALNET_RPC_PORT: '0',
  LOCALNET_DAYS: '1',
  DATA_DIR: temporaryFolder(),
});

function start(args: readonly string[], env: Environment) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [programPath, ...args], {
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
