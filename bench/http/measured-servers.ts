import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { threadTimes } from '../idle/thread-times.ts';
import { copyPreparedCluster } from '../start/prepared-cluster.ts';
import { startArguments } from '../start/start-command.ts';
import { load } from './load-client.ts';

export type MeasuredServer = {
  readonly url: string;
  readonly process: ChildProcess;
  /** CPU time of the whole process so far, including an embedded cluster. */
  cpuSeconds(): Promise<number>;
};

/** A recorded response. */
type Sample = { readonly headers: readonly string[]; readonly body: string };

export type BareServer = MeasuredServer & { show(sample: Sample): Promise<void> };

export type Round = {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  /** CPU time per request of all threads, with the embedded cluster and the compiler. */
  readonly cpuMicros: number;
  /** Of the main thread, which serves requests and follows the cluster. */
  readonly mainMicros: number;
  /** Of all threads, without what the server uses in the same time when nobody calls it. */
  readonly addedMicros: number;
};

const CONNECTIONS = 64;
const READY_SECONDS = 300;
/** Headers that Node sets on every response. */
const NODE_HEADERS = ['date', 'connection', 'keep-alive'];

/** Starts Tidegate with limits, logs and metrics on; the log goes to a file. Resolves when it is ready. */
export async function startTidegate(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const child = spawn(process.execPath, startArguments, {
    env: {
      PORT: '0',
      LOCALNET_RPC_PORT: '0',
      RATE_LIMIT: '999999999/1m',
      DATA_DIR: folder,
      ...env,
    },
    stdio: ['ignore', openSync(join(folder, 'log'), 'a'), 'pipe'],
  });
  const url = await announcedUrl(child);
  await waitUntilReady(url);
  const cpuSeconds = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1]);
  };
  return { url, process: child, cpuSeconds };
}

/** Starts Tidegate with the embedded cluster and a number of days of history. */
export async function startTidegateWithHistory(
  folder: string,
  days: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const env = { ...settings, LOCALNET_DAYS: `${days}` };
  const simulate = async (target: string) => stopTidegate(await startTidegate(target, env));
  await copyPreparedCluster({ folder, days, simulate });
  return startTidegate(folder, env);
}

/** Resolves when the process has ended and writes no more files. */
export async function stopTidegate({
  process: child,
}: Pick<MeasuredServer, 'process'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts a server that answers every request with the last sample. */
export async function startBareServer(): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL('bare-server.js', import.meta.url)), { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const request = async (message: { readonly sample?: Sample }) => {
    child.send(message);
    const [response] = (await once(child, 'message')) as [{ cpuSeconds: number }];
    return response.cpuSeconds;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    cpuSeconds: () => request({}),
    show: async (sample) => {
      await request({ sample });
    },
  };
}

/** Current body and headers of a path. */
export async function readSample({ url }: MeasuredServer, path: string): Promise<Sample> {
  const get = () => fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity' } });
  await (await get()).arrayBuffer();
  const response = await get();
  const headers = [...response.headers].filter(([header]) => !NODE_HEADERS.includes(header)).flat();
  return { headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') };
}

/** CPU seconds per second of a server that nobody calls. */
export async function measureIdleCpu(
  { cpuSeconds }: MeasuredServer,
  seconds: number,
): Promise<number> {
  const before = await cpuSeconds();
  const start = performance.now();
  await pause(seconds * 1_000);
  return ((await cpuSeconds()) - before) / ((performance.now() - start) / 1_000);
}

type RoundPlan = { readonly path: string; readonly seconds: number; readonly idleCpu: number };

export async function measure(
  server: MeasuredServer,
  { path, seconds, idleCpu }: RoundPlan,
): Promise<Round> {
  const { url, cpuSeconds } = server;
  const before = await cpuSeconds();
  const mainBefore = mainThreadSeconds(server);
  const result = await load({ url: `${url}${path}`, connections: CONNECTIONS, seconds });
  const perRequest = (spent: number) => (spent * 1e6) / result.requests;
  const mainMicros = perRequest(mainThreadSeconds(server) - mainBefore);
  const spent = (await cpuSeconds()) - before;
  return {
    perSecond: result.requests / result.seconds,
    p99: result.p99,
    cpuMicros: perRequest(spent),
    mainMicros,
    addedMicros: perRequest(spent - idleCpu * result.seconds),
  };
}

/** NaN on systems other than Linux. */
const mainThreadSeconds = ({ process: { pid = 0 } }: MeasuredServer): number =>
  threadTimes(pid).get(pid) ?? Number.NaN;

/** Progress lines come before it. */
async function announcedUrl({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('no stderr');
  for await (const line of createInterface({ input: stderr })) {
    const url = /^Tidegate is at (\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('Tidegate did not start');
}

async function waitUntilReady(url: string): Promise<void> {
  for (let second = 0; second < READY_SECONDS; second += 1) {
    // a server that loads 100,000 loans may close an idle connection before it reads the next request
    const status = await fetch(`${url}/ready`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    await pause(1_000);
  }
  throw new Error(`not ready after ${READY_SECONDS} s`);
}
