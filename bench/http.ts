import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './compare/median.ts';
import {
  cpuRatiosOf,
  type HotRead,
  hotReadRow,
  measureHotReads,
  type Plan,
  ratiosOf,
} from './http/hot-reads.ts';
import {
  type MeasuredServer,
  startBareServer,
  startTidegate,
  startTidegateWithHistory,
  stopTidegate,
} from './http/measured-servers.ts';
import { startRpcServer } from './load/start-rpc-server.ts';
import { reportCost } from './report-cost.ts';
import { isSmoke, reportBudget, sized, sizeSetting } from './smoke.ts';
import { waitUntilRecorded } from './start/first-recording.ts';

const TRIALS = sizeSetting('BENCH_TRIALS', 3, 1);
const SIZES = isSmoke ? [100] : [1_000, 10_000, 100_000];
const RATIO_BUDGET = 0.9;
/** By CPU time, without what the embedded cluster and the follower use anyway. */
const CPU_RATIO_BUDGET = 0.85;
const SPREAD_BUDGET = 0.1;

const plan: Plan = {
  rounds: sizeSetting('BENCH_ROUNDS', 10, 1),
  roundSeconds: sizeSetting('BENCH_SECONDS', 0.6, 0.1),
  warmUpSeconds: sized(1, 0.1),
  idleSeconds: sized(5, 0.1),
};

const started: Pick<MeasuredServer, 'process'>[] = [];
const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-'));
try {
  const isFastEnough = await measureEmbedded();
  const isEvenEnough = await measureSizes();
  reportBudget(isFastEnough && isEvenEnough);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}

/** Processes differ by up to a tenth (caches, compiler), so several of each are measured. */
async function measureEmbedded(): Promise<boolean> {
  const trials: HotRead[][] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const tidegate = track(await startTidegateWithHistory(dataFolder('embedded'), sized(365, 1)));
    const [reads = []] = await measureHotReads([tidegate], track(await startBareServer()), plan);
    trials.push(reads);
    await stopAll();
  }
  const reads = mergeTrials(trials);
  console.log(`embedded cluster, 64 connections, ${TRIALS} processes x ${plan.rounds} rounds`);
  console.table(reads.map(hotReadRow));
  for (const read of reads) {
    const [rate, cpu] = [median(ratiosOf(read)), median(cpuRatiosOf(read))];
    reportCost({
      work: `hot read against bare node:http, ${read.name}`,
      measured: `${rate.toFixed(2)} of its requests/s, ${cpu.toFixed(2)} by CPU`,
      budget: `${RATIO_BUDGET} and ${CPU_RATIO_BUDGET}`,
      isWithinBudget: isInBudget(read),
    });
  }
  return reads.every(isInBudget);
}

/** Measures all sizes side by side against one bare server, so that other load affects all of them equally. */
async function measureSizes(): Promise<boolean> {
  const tidegates = [];
  for (const size of SIZES) {
    const server = track(await startRpcServer(size));
    const urls = { RPC_URL: server.rpcUrl, WS_URL: server.wsUrl };
    const env = { ...urls, CLUSTER: 'localnet' };
    tidegates.push(track(await startTidegate(dataFolder(`size-${size}`), env)));
  }
  for (const { url } of tidegates) await waitUntilRecorded(url);
  const bySize = await measureHotReads(tidegates, track(await startBareServer()), plan);
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
  return median(ratiosOf(read)) >= RATIO_BUDGET && median(cpuRatiosOf(read)) >= CPU_RATIO_BUDGET;
}

/** Joins the rounds of all trials, per read. */
function mergeTrials([first = [], ...others]: readonly HotRead[][]): HotRead[] {
  return first.map((read, i) => {
    const all = [read, ...others.flatMap((reads) => reads[i] ?? [])];
    return {
      name: read.name,
      ours: all.flatMap(({ ours }) => ours),
      bare: all.flatMap(({ bare }) => bare),
    };
  });
}

function track<Started extends Pick<MeasuredServer, 'process'>>(process: Started): Started {
  started.push(process);
  return process;
}

/** A server locks its data folder, so each has its own. */
function dataFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map(stopTidegate));
}
