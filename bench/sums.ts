import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { StateSums } from '#server/indexer/sums/state-sums.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { MainnetProcess } from './mainnet/mainnet-process.ts';
import { reportBudget, sized } from './smoke.ts';

/** What it costs to sum all loans and stakes of a simulated mainnet once, as the check of the sums does. */
const LOANS = sized(300_000, 500);
const FARM_USERS = sized(400_000, 500);
/** A pass rests 200 times as long as it works. */
const BUDGET_CPU_MS = 9_000;
const BUDGET_BYTES = 20_000_000;
const PASSES = sized(3, 1);
const PART_MS = 4;
const PART_PAUSE_MS = 8;

const node = await MainnetProcess.start({ loans: LOANS, farmUsers: FARM_USERS, hasPages: true });
const common = { commitment: 'confirmed', clock: Date.now, random: Math.random } as const;
const source = createClusterSource({
  ...common,
  rpcUrls: [new URL(node.rpcUrl)],
  wsUrls: [new URL(node.wsUrl)],
  log: silentLog,
});
const state = new ClusterState({ log: silentLog });
const indexer = createIndexer({ ...common, source, state, mode: 'all', log: silentLog });

type Cost = {
  readonly cpuMs: number;
  readonly ms: number;
  readonly longestMs: number;
  readonly bytes: number;
};

try {
  await indexer.start();
  const costs: Cost[] = [];
  for (let pass = 0; pass < PASSES; pass++) costs.push(await measurePass());
  report(costs);
} finally {
  indexer.stop();
  source.close();
  node.stop();
}

async function measurePass(): Promise<Cost> {
  globalThis.gc?.();
  const [startedAt, heapBefore] = [performance.now(), process.memoryUsage().heapUsed];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const sums = new StateSums(state);
  let [cpuMs, isThrough] = [0, false];
  while (!isThrough) {
    const partAt = performance.now();
    isThrough = sums.visitFor(PART_MS, () => performance.now());
    cpuMs += performance.now() - partAt;
    await pause(PART_PAUSE_MS);
  }
  delay.disable();
  globalThis.gc?.();
  const bytes = process.memoryUsage().heapUsed - heapBefore;
  sums.stop();
  return { cpuMs, ms: performance.now() - startedAt, longestMs: delay.max / 1e6, bytes };
}

function report(costs: readonly Cost[]): void {
  const { obligations, farmUsers } = state.statistics();
  console.table(
    costs.map(({ cpuMs, ms, longestMs, bytes }) => ({
      loans: obligations,
      stakes: farmUsers,
      'work, ms': Math.round(cpuMs),
      'pass, ms': Math.round(ms),
      'rest at 0.5 % of a core, min': Number(((cpuMs * 200) / 60_000).toFixed(1)),
      'longest delay of the event loop, ms': Math.round(longestMs),
      'memory, KB': Math.round(bytes / 1_000),
    })),
  );
  const best = Math.min(...costs.map(({ cpuMs }) => cpuMs));
  const memory = Math.max(...costs.map(({ bytes }) => bytes));
  reportBudget(best <= BUDGET_CPU_MS && memory <= BUDGET_BYTES);
}
