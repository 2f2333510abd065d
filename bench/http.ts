import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from './load-client.ts';
import { median } from './median.ts';

const PATH = '/tokens-api/tokens';
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const TRIALS = Number(process.env['BENCH_TRIALS'] ?? 4);
const TIDEGATE = 'tidegate';
const BARE = 'bare node:http';
const LOADED = 'bare, same modules loaded';
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
try {
  await run();
} finally {
  rmSync(folder, { recursive: true });
}

/** Each process has its own luck with caches and compiler, by up to a tenth: so several of each are started. */
async function run(): Promise<void> {
  const results: Map<string, Round[]>[] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) results.push(await runTrial());
  console.log(`GET ${PATH}, ${CONNECTIONS} connections, ${TRIALS} processes x ${ROUNDS} rounds`);
  const names = [TIDEGATE, BARE, LOADED];
  const roundsOf = (name: string) => results.flatMap((result) => result.get(name) ?? []);
  console.table(names.map((name) => toRow(name, roundsOf(name))));
  for (const other of [BARE, LOADED]) {
    const theirs = roundsOf(other);
    const ratios = roundsOf(TIDEGATE).map(
      ({ perSecond }, index) => perSecond / (theirs[index]?.perSecond ?? 1),
    );
    console.log(`requests/s against ${other}: ${median(ratios).toFixed(2)} (budget 0.80)`);
  }
}

async function runTrial(): Promise<Map<string, Round[]>> {
  const tidegate = await startTidegate();
  const sample = await readSample(tidegate.url);
  const contenders = [
    tidegate,
    await startBare(BARE, { ...sample, beside: [] }),
    await startBare(LOADED, { ...sample, beside: MODULES }),
  ];
  const rounds = new Map(contenders.map(({ name }): [string, Round[]] => [name, []]));
  for (const contender of contenders) await measure(contender, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      rounds.get(contender.name)?.push(await measure(contender, ROUND_SECONDS));
    }
  }
  for (const contender of contenders) contender.process.kill();
  return rounds;
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
  const env = {
    PORT: '0',
    LOCALNET_RPC_PORT: '0',
    RATE_LIMIT: '999999999/1m',
    DATA_DIR: folder,
  };
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
  return { name: TIDEGATE, url, cpuSeconds, process: child };
}

type Sample = { readonly headers: readonly string[]; readonly body: string };

/** Body and headers as Tidegate sends them. */
async function readSample(url: string): Promise<Sample> {
  const ask = () => fetch(`${url}${PATH}`, { headers: { 'accept-encoding': 'identity' } });
  await (await ask()).arrayBuffer();
  const answer = await ask();
  const headers = [...answer.headers].filter(([header]) => !OF_NODE.includes(header)).flat();
  return { headers, body: Buffer.from(await answer.arrayBuffer()).toString('base64') };
}

async function startBare(
  name: string,
  sample: Sample & { readonly beside: readonly string[] },
): Promise<Contender> {
  const child = fork(fileURLToPath(new URL('bare-server.js', import.meta.url)), { execArgv: [] });
  child.send(sample);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const cpuSeconds = async () => {
    child.send({});
    const [told] = (await once(child, 'message')) as [{ cpuSeconds: number }];
    return told.cpuSeconds;
  };
  return { name, url: `http://127.0.0.1:${port}`, cpuSeconds, process: child };
}
