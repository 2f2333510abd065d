import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { load } from './load-client.ts';

export type MeasuredServer = {
  readonly url: string;
  readonly process: ChildProcess;
  /** Of the whole process so far, an embedded cluster included. */
  cpuSeconds(): Promise<number>;
};

/** An answer as it was sent once. */
type Sample = { readonly headers: readonly string[]; readonly body: string };

export type BareServer = MeasuredServer & { show(sample: Sample): Promise<void> };

export type Round = {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly cpuMicros: number;
};

const CONNECTIONS = 64;
const READY_SECONDS = 300;
/** Set by Node itself on every answer, ours and the bare one. */
const OF_NODE = ['date', 'connection', 'keep-alive'];

/** Limits, logs and metrics on, as in production; the log goes to a file. Resolves when it is ready. */
export async function startTidegate(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const program = fileURLToPath(new URL('../../packages/server/bin/tidegate.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      ...{ PORT: '0', LOCALNET_RPC_PORT: '0', RATE_LIMIT: '999999999/1m', DATA_DIR: folder },
      ...env,
    },
    stdio: ['ignore', openSync(join(folder, 'log'), 'a'), 'pipe'],
  });
  const url = await announcedUrl(child);
  await becomesReady(url);
  const cpuSeconds = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1]);
  };
  return { url, process: child, cpuSeconds };
}

/** A server that answers everything with the sample that it was shown last. */
export async function startBareServer(): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL('bare-server.js', import.meta.url)), { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const ask = async (message: { readonly sample?: Sample }) => {
    child.send(message);
    const [told] = (await once(child, 'message')) as [{ cpuSeconds: number }];
    return told.cpuSeconds;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    cpuSeconds: () => ask({}),
    show: async (sample) => {
      await ask({ sample });
    },
  };
}

/** Body and headers as they are sent for a path at this moment. */
export async function readSample({ url }: MeasuredServer, path: string): Promise<Sample> {
  const ask = () => fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity' } });
  await (await ask()).arrayBuffer();
  const answer = await ask();
  const headers = [...answer.headers].filter(([header]) => !OF_NODE.includes(header)).flat();
  return { headers, body: Buffer.from(await answer.arrayBuffer()).toString('base64') };
}

export async function measure(
  { url, cpuSeconds }: MeasuredServer,
  path: string,
  seconds: number,
): Promise<Round> {
  const before = await cpuSeconds();
  const result = await load({ url: `${url}${path}`, connections: CONNECTIONS, seconds });
  const cpuMicros = (((await cpuSeconds()) - before) * 1e6) / result.requests;
  return { perSecond: result.requests / result.seconds, p99: result.p99, cpuMicros };
}

/** Before it, lines tell how far the first load is. */
async function announcedUrl({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('no stderr');
  for await (const line of createInterface({ input: stderr })) {
    const url = /^Tidegate is at (\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('Tidegate did not start');
}

async function becomesReady(url: string): Promise<void> {
  for (let second = 0; second < READY_SECONDS; second += 1) {
    const { status } = await fetch(`${url}/ready`);
    if (status === 200) return;
    await pause(1_000);
  }
  throw new Error(`not ready after ${READY_SECONDS} s`);
}
