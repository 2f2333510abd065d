import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from './load-client.ts';

const PATH = '/tokens-api/tokens';
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
/** Set by Node itself on every answer, ours and the bare one. */
const OF_NODE = ['date', 'connection', 'keep-alive'];
/** What the program loads, for the bare server that runs in a process of the same size. */
const MODULES = ['../dist/cli/serve.js'];

type Contender = {
  readonly name: string;
  readonly url: string;
  readonly cpuSeconds: () => Promise<number>;
  readonly process: ChildProcess;
};
type Round = { readonly perSecond: number; readonly p99: number; readonly cpuMicros: number };

const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-'));
const tidegate = await startTidegate();
const bare = await startBare('bare node:http', []);
const loaded = await startBare('bare, same modules loaded', MODULES);
const contenders = [tidegate, bare, loaded];
try {
  await run();
} finally {
  for (const contender of contenders) contender.process.kill();
  rmSync(folder, { recursive: true });
}

async function run(): Promise<void> {
  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await measure(contender, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      rounds.get(contender)?.push(await measure(contender, ROUND_SECONDS));
    }
  }
  console.log(`GET ${PATH}, ${CONNECTIONS} connections, median of ${ROUNDS} rounds`);
  console.table([...rounds].map(([{ name }, list]) => toRow(name, list)));
  const ours = rounds.get(tidegate) ?? [];
  for (const other of [bare, loaded]) {
    const theirs = rounds.get(other) ?? [];
    const ratios = ours.map(({ perSecond }, index) => perSecond / (theirs[index]?.perSecond ?? 1));
    console.log(`requests/s against ${other.name}: ${median(ratios).toFixed(2)} (budget 0.80)`);
  }
}

function toRow(name: string, rounds: readonly Round[]): Record<string, string | number> {
  return {
    server: name,
    'requests/s': Math.round(median(rounds.map((round) => round.perSecond))),
    'p99 ms': Math.round(median(rounds.map((round) => round.p99)) * 10) / 10,
    'CPU µs/request': Math.round(median(rounds.map((round) => round.cpuMicros)) * 10) / 10,
  };
}

async function measure({ url, cpuSeconds }: Contender, seconds: number): Promise<Round> {
  const before = await cpuSeconds();
  const result = await load({ url: `${url}${PATH}`, connections: CONNECTIONS, seconds });
  const cpuMicros = (((await cpuSeconds()) - before) * 1e6) / result.requests;
  return { perSecond: result.requests / result.seconds, p99: result.p99, cpuMicros };
}

/** Limits, logs and metrics on, as in production; the log goes to a file. */
async function startTidegate(): Promise<Contender> {
  const program = fileURLToPath(new URL('../bin/tidegate.js', import.meta.url));
  const env = { PORT: '0', RATE_LIMIT: '999999999/1m', DATA_DIR: folder };
  const log = openSync(join(folder, 'log'), 'w');
  const child = spawn(process.execPath, [program, 'serve'], {
    env,
    stdio: ['ignore', log, 'pipe'],
  });
  if (child.stderr === null) throw new Error('no stderr');
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '';
  const cpuSeconds = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1]);
  };
  return { name: 'tidegate', url, cpuSeconds, process: child };
}

/** The same body and the same headers, as Tidegate sends them. */
async function startBare(name: string, beside: readonly string[]): Promise<Contender> {
  const ask = () => fetch(`${tidegate.url}${PATH}`, { headers: { 'accept-encoding': 'identity' } });
  await (await ask()).arrayBuffer();
  const answer = await ask();
  const headers = [...answer.headers].filter(([header]) => !OF_NODE.includes(header)).flat();
  const body = Buffer.from(await answer.arrayBuffer()).toString('base64');
  const child = fork(fileURLToPath(new URL('bare-server.js', import.meta.url)), { execArgv: [] });
  child.send({ headers, body, beside });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const cpuSeconds = async () => {
    child.send({});
    const [told] = (await once(child, 'message')) as [{ cpuSeconds: number }];
    return told.cpuSeconds;
  };
  return { name, url: `http://127.0.0.1:${port}`, cpuSeconds, process: child };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
