import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ownProgram = fileURLToPath(new URL('../../packages/server/bin/tidegate.js', import.meta.url));
const READY_POLL_MS = 200;

export type RoleOptions = {
  readonly command: 'index' | 'api';
  readonly name: string;
  /** The program of another release; this one by default. */
  readonly program?: string | undefined;
  /** 0 selects a free port. */
  readonly port: number;
  /** Created if it does not exist. */
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives standard output and standard error. */
  readonly onOutput: (text: string) => void;
};

/** A running `tidegate index` or `tidegate api`. */
export type RoleProcess = Pick<RoleOptions, 'command' | 'name'> & {
  readonly child: ChildProcess;
  /** Its URL, when it listens. Rejects if it exits before. */
  readonly url: Promise<string>;
  /** Its exit code or signal. */
  readonly exited: Promise<number | string>;
};

export function startRole(options: RoleOptions): RoleProcess {
  const { command, name, program = ownProgram, port, dataDir, env, onOutput } = options;
  mkdirSync(dataDir, { recursive: true });
  const child = spawn(process.execPath, ['--v8-pool-size=1', program, command], {
    env: { ...env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(([code, signal]) => code ?? signal);
  let text = '';
  const url = new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      onOutput(chunk);
      text = `${text}${chunk}`.slice(-10_000);
      const found = /^Tidegate is at (\S+)/m.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then((code) => reject(new Error(`${name} exited (${code}): ${text}`)));
  });
  url.catch(() => undefined);
  child.stdout?.setEncoding('utf8').on('data', onOutput);
  return { command, name, child, url, exited };
}

/** Resolves to its URL when it answers `/ready` with 200. Rejects if it exits before. */
export async function waitUntilRoleReady({ name, url, exited }: RoleProcess): Promise<string> {
  let ended: number | string | undefined;
  void exited.then((code) => {
    ended = code;
  });
  const address = await url;
  while (ended === undefined) {
    const response = await fetch(`${address}/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return address;
    await sleep(READY_POLL_MS);
  }
  throw new Error(`${name} exited (${ended})`);
}
