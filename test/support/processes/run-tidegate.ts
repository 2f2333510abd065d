import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { programPath } from './build-once.ts';

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

export type RunningServer = {
  readonly url: string;
  readonly process: ChildProcess;
  readonly out: () => string;
  readonly finished: Promise<Finished>;
};

type Environment = Readonly<Record<string, string>>;

/** A folder of its own for each test, gone after it. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidegate-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs the program to its end. */
export async function runTidegate(
  args: readonly string[],
  env: Environment = {},
): Promise<Finished> {
  return start(args, env).finished;
}

/** `tidegate serve` on a free port, once it says where it is; killed with the test. */
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
    server.finished.then(({ err }) => Promise.reject(new Error(`it ended: ${err}`))),
  ]);
  return { ...server, url };
}

/** Any free port, a short past, and a folder of its own. */
const unlessTold = (): Environment => ({
  LOCALNET_RPC_PORT: '0',
  LOCALNET_DAYS: '1',
  DATA_DIR: temporaryFolder(),
});

function start(args: readonly string[], env: Environment) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [programPath, ...args], {
    env: { PATH, ...unlessTold(), ...env },
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
  const finished = once(child, 'close').then(([code]): Finished => ({ code, out, err }));
  return { process: child, announced, finished, out: () => out };
}
