import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isSmoke, sized, sizeSetting } from '../smoke.ts';
import { median } from './median.ts';
import type { TaskFactory, WorkerRequest } from './task-worker.ts';

const ROUND_SECONDS = sizeSetting('BENCH_SECONDS', 0.3, 0.02);
const ROUNDS = sizeSetting('BENCH_ROUNDS', 5, 1);
const TRIALS = sizeSetting('BENCH_TRIALS', 3, 1);
const WARM_UP_SECONDS = sized(1, 0.02);

const peers = new URL('../peers/', import.meta.url);

/** A task of ours and the task of the official SDK that does the same, or more. */
export type Pair = {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
  readonly target?: number;
};

export type Comparison = {
  readonly ours: TaskFactory;
  readonly theirs: TaskFactory;
  readonly pairs: readonly Pair[];
  /** Throws if the two sides differ. */
  check(ours: readonly unknown[], theirs: readonly unknown[], pair: Pair): void;
};

/** Medians of all rounds, in CPU microseconds; `ratio` is the median of the rounds' ratios. */
export type Result = {
  readonly pair: Pair;
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
};

type Side = {
  readonly process: ChildProcess;
  request(request: WorkerRequest): Promise<unknown>;
};
type Round = { readonly ours: number; readonly theirs: number };

export async function compare(comparison: Comparison): Promise<void> {
  if (!hasPeers()) return measureOursOnly(comparison);
  const results = await measurePairs(comparison);
  console.log(`medians of ${TRIALS} processes x ${ROUNDS} rounds; CPU time`);
  console.table(results.map(comparisonRow));
}

/** Processes differ (caches, compiler), so several of each side are measured. */
export async function measurePairs(comparison: Comparison): Promise<Result[]> {
  installPeers();
  const rounds = new Map(comparison.pairs.map(({ name }): [string, Round[]] => [name, []]));
  for (let trial = 0; trial < TRIALS; trial += 1) await runTrial(comparison, rounds);
  return comparison.pairs.map((pair) => toResult(pair, rounds.get(pair.name) ?? []));
}

/** A smoke run does not install the SDK: without it, it runs our side only. */
export function hasPeers(): boolean {
  return !isSmoke || arePeersInstalled();
}

// npm writes this file when the install is complete
const arePeersInstalled = (): boolean =>
  existsSync(new URL('node_modules/.package-lock.json', peers));

/** Runs every task of our side once. */
export async function measureOursOnly({ ours, pairs }: Comparison): Promise<void> {
  const worker = await startTaskWorker(ours);
  try {
    for (const task of new Set(pairs.map((pair) => pair.ours))) {
      const micros = await measure(worker, task, ROUND_SECONDS);
      console.log(`${task}: ${toDigits(micros)} µs CPU (the SDK is not installed)`);
    }
  } finally {
    worker.process.kill();
  }
}

/** The SDK has its own package, so that the project's install stays small. */
export function installPeers(): void {
  if (arePeersInstalled()) return;
  console.log('installing the official SDK into bench/peers');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(peers),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function runTrial(comparison: Comparison, rounds: Map<string, Round[]>): Promise<void> {
  const ours = await startTaskWorker(comparison.ours);
  const theirs = await startTaskWorker(comparison.theirs);
  try {
    for (const pair of comparison.pairs) {
      comparison.check(await sample(ours, pair.ours), await sample(theirs, pair.theirs), pair);
      await measurePair({ ours, theirs, seconds: WARM_UP_SECONDS }, pair);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const pair of comparison.pairs) {
        const sides = { ours, theirs, seconds: ROUND_SECONDS };
        rounds.get(pair.name)?.push(await measurePair(sides, pair));
      }
    }
  } finally {
    ours.process.kill();
    theirs.process.kill();
  }
}

type Sides = { readonly ours: Side; readonly theirs: Side; readonly seconds: number };

async function measurePair({ ours, theirs, seconds }: Sides, pair: Pair): Promise<Round> {
  return {
    ours: await measure(ours, pair.ours, seconds),
    theirs: await measure(theirs, pair.theirs, seconds),
  };
}

async function measure(side: Side, task: string, seconds: number): Promise<number> {
  return (await side.request({ kind: 'measure', task, seconds })) as number;
}

async function sample(side: Side, task: string): Promise<unknown[]> {
  return (await side.request({ kind: 'sample', task })) as unknown[];
}

export async function startTaskWorker(maker: TaskFactory): Promise<Side> {
  const child = fork(fileURLToPath(new URL('task-worker.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  const send = (request: WorkerRequest) =>
    new Promise((resolve, reject) => {
      const stop = (code: number) => reject(new Error(`a worker exited with code ${code}`));
      child.once('exit', stop);
      child.once('message', (response) => {
        child.off('exit', stop);
        resolve(response);
      });
      child.send(request);
    });
  const module = new URL(maker.module, import.meta.url).href;
  await send({ kind: 'prepare', maker: { ...maker, module } });
  return { process: child, request: send };
}

function toResult(pair: Pair, rounds: readonly Round[]): Result {
  const ratios = rounds.map(({ ours, theirs }) => theirs / ours);
  return {
    pair,
    ours: median(rounds.map(({ ours }) => ours)),
    theirs: median(rounds.map(({ theirs }) => theirs)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

export function comparisonRow(result: Result): Record<string, string | number> {
  const { pair, ours, theirs, ratio, lowest, highest } = result;
  return {
    task: pair.name,
    'Tidegate µs': toDigits(ours),
    'SDK µs': toDigits(theirs),
    ratio: toDigits(ratio),
    'lowest, highest': `${toDigits(lowest)}, ${toDigits(highest)}`,
    target: pair.target ?? '',
  };
}

const toDigits = (value: number): number => Number(value.toPrecision(3));
