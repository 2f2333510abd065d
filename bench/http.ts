import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './compare/median.ts';
import {
  type HotRead,
  hotReadRow,
  measureHotReads,
  type Plan,
  ratiosOf,
} from './http/hot-reads.ts';
import { startBareServer, startTidegate } from './http/measured-servers.ts';
import { startRpcServer } from './load/start-rpc-server.ts';

const TRIALS = Number(process.env['BENCH_TRIALS'] ?? 3);
const SIZES = [1_000, 10_000, 100_000];
const RATIO_BUDGET = 0.8;
const SPREAD_BUDGET = 0.1;

const plan: Plan = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 10),
  roundSeconds: Number(process.env['BENCH_SECONDS'] ?? 0.6),
  warmUpSeconds: 1,
};

type Stoppable = { readonly process: { kill(): boolean } };

const started: Stoppable[] = [];
const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-'));
try {
  const isFastEnough = await measureEmbedded();
  const isEvenEnough = await measureSizes();
  process.exitCode = isFastEnough && isEvenEnough ? 0 : 1;
} finally {
  stopAll();
  rmSync(folder, { recursive: true });
}

/** Each process has its own luck with caches and compiler, by up to a tenth: so several of each are started. */
async function measureEmbedded(): Promise<boolean> {
  const trials: HotRead[][] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const tidegate = keep(await startTidegate(folder));
    const [reads = []] = await measureHotReads([tidegate], keep(await startBareServer()), plan);
    trials.push(reads);
    stopAll();
  }
  const reads = joined(trials);
  console.log(`embedded cluster, 64 connections, ${TRIALS} processes x ${plan.rounds} rounds`);
  console.table(reads.map(hotReadRow));
  return reads.every(isInBudget);
}

/** All sizes side by side, against the same bare server, so that whatever else the machine does meets all alike. */
async function measureSizes(): Promise<boolean> {
  const tidegates = [];
  for (const size of SIZES) {
    const server = keep(await startRpcServer(size));
    const urls = { RPC_URL: server.rpcUrl, WS_URL: server.wsUrl };
    tidegates.push(keep(await startTidegate(folder, { ...urls, CLUSTER: 'localnet' })));
  }
  const bySize = await measureHotReads(tidegates, keep(await startBareServer()), plan);
  const figures = bySize.map((reads) => median(reads.flatMap(ratiosOf)));
  bySize.forEach((reads, i) => {
    console.log(`${SIZES[i]} obligations, ratio ${figures[i]?.toFixed(2)}`);
    console.table(reads.map(hotReadRow));
  });
  const spread = 1 - Math.min(...figures) / Math.max(...figures);
  console.log(`spread ${(spread * 100).toFixed(1)} % (budget ${SPREAD_BUDGET * 100} %)`);
  return spread <= SPREAD_BUDGET && figures.every((figure) => figure >= RATIO_BUDGET);
}

function isInBudget(read: HotRead): boolean {
  return median(ratiosOf(read)) >= RATIO_BUDGET;
}

/** The rounds of all trials, read by read. */
function joined([first = [], ...others]: readonly HotRead[][]): HotRead[] {
  return first.map((read, i) => {
    const all = [read, ...others.flatMap((reads) => reads[i] ?? [])];
    return {
      name: read.name,
      ours: all.flatMap(({ ours }) => ours),
      bare: all.flatMap(({ bare }) => bare),
    };
  });
}

function keep<Started extends Stoppable>(process: Started): Started {
  started.push(process);
  return process;
}

function stopAll(): void {
  for (const { process: child } of started.splice(0)) child.kill();
}
