import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './compare/median.ts';
import {
  type MeasuredServer,
  startTidegateWithHistory,
  stopTidegate,
} from './http/measured-servers.ts';
import type { Latencies, LoadPlan, LoadReport } from './mixed/load-plan.ts';
import { listMixedPaths } from './mixed/requests.ts';
import { reportCost } from './report-cost.ts';
import { isSmoke, reportBudget, sized, sizeSetting } from './smoke.ts';

/**
 * A server with the embedded cluster and its stored history under a mixed load: hot reads at a fixed rate, some of them
 * replaced by a year of history; then hot reads beside wide history queries that never pause.
 */
const DAYS = sized(365, 1);
const MINUTES = sizeSetting('BENCH_MINUTES', 10, 10);
const SOAK_SECONDS = sized(MINUTES * 60, 3);
const SIDE_SECONDS = sized(30, 1);
/** Memory rises and falls with each collection of garbage, so the median of each period counts. */
const PERIOD_SECONDS = Math.min(60, SOAK_SECONDS / 3);
const SAMPLES_PER_PERIOD = 6;
/**
 * Memory is compared with that of this period. The caches are filled in the first one, and the embedded cluster retains the
 * accounts of its last 640 slots, which pass in 4.3 minutes.
 */
const SETTLED_PERIOD = SOAK_SECONDS / PERIOD_SECONDS > 6 ? 5 : 1;
const PER_SECOND = 200;
const HEAVY_SHARE = 0.04;
const PARALLEL = 20;
const BUDGET = { p50: 5, p99: 100, memory: 1.05, beside: 3, health: 50 };

type Generator = {
  readonly run: (plan: LoadPlan) => Promise<LoadReport>;
  readonly stop: () => void;
};

function startGenerator(): Generator {
  const file = fileURLToPath(new URL('mixed/load-generator.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  return {
    run: async (plan) => {
      child.send(plan);
      const [report] = (await once(child, 'message')) as [LoadReport];
      return report;
    },
    stop: () => child.kill(),
  };
}

async function residentMegabytes({ url }: MeasuredServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (.+)$/m.exec(text)?.[1]) / 1e6;
}

const row = ({ count, p50, p99, slowest }: Latencies) => ({
  requests: count,
  'p50 ms': Number(p50.toFixed(1)),
  'p99 ms': Number(p99.toFixed(1)),
  'slowest ms': Number(slowest.toFixed(0)),
});

function printReport(
  title: string,
  { all, hot, heavy, health, parallel, ...rest }: LoadReport,
): void {
  console.log(title);
  const rows = Object.entries({ all, hot, heavy, health, parallel }).filter(
    ([, { count }]) => count > 0,
  );
  console.table(Object.fromEntries(rows.map(([name, latencies]) => [name, row(latencies)])));
  console.log(`failed or dropped: ${rest.failures} ${rest.reasons.join('; ')}`);
}

type Soak = {
  readonly server: MeasuredServer;
  readonly generator: Generator;
  readonly plan: LoadPlan;
};

/** Median resident memory of each period, in MB. */
async function measureMemory(server: MeasuredServer): Promise<readonly number[]> {
  const periods = SOAK_SECONDS / PERIOD_SECONDS;
  const samples: number[] = [];
  while (samples.length < periods * SAMPLES_PER_PERIOD) {
    await pause((PERIOD_SECONDS / SAMPLES_PER_PERIOD) * 1_000);
    samples.push(await residentMegabytes(server));
  }
  return Array.from({ length: periods }, (_, index) => {
    const first = index * SAMPLES_PER_PERIOD;
    return median(samples.slice(first, first + SAMPLES_PER_PERIOD));
  });
}

async function soak({ server, generator, plan }: Soak): Promise<boolean> {
  const [report, memory] = await Promise.all([
    generator.run({ ...plan, seconds: SOAK_SECONDS }),
    measureMemory(server),
  ]);
  const heavy = `${HEAVY_SHARE * 100} % of them ${DAYS} days of history`;
  printReport(`${PER_SECOND} requests/s for ${SOAK_SECONDS} s, ${heavy}`, report);
  console.log(
    `MB by ${PERIOD_SECONDS} s: ${memory.map((megabytes) => megabytes.toFixed(0)).join(' ')}`,
  );
  const settled = memory[SETTLED_PERIOD] ?? Number.NaN;
  const end = memory.at(-1) ?? Number.NaN;
  const growth = end / settled;
  const megabytes = `${settled.toFixed(0)} MB after ${SETTLED_PERIOD * PERIOD_SECONDS} s, ${end.toFixed(0)} MB at the end`;
  const isFlat = growth <= BUDGET.memory;
  reportCost({
    work: 'memory under mixed load',
    measured: `${megabytes} (x ${growth.toFixed(2)})`,
    budget: `x ${BUDGET.memory}`,
    isWithinBudget: isFlat,
  });
  const { p50, p99 } = report.all;
  const isFast = p50 <= BUDGET.p50 && p99 <= BUDGET.p99 && report.failures === 0;
  reportCost({
    work: `${PER_SECOND} requests/s, ${HEAVY_SHARE * 100} % heavy`,
    measured: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${report.failures} dropped`,
    budget: `p50 ${BUDGET.p50} ms, p99 ${BUDGET.p99} ms, 0 dropped`,
    isWithinBudget: isFast,
  });
  return isFast && isFlat;
}

async function measureBeside({ generator, plan }: Omit<Soak, 'server'>): Promise<boolean> {
  const hotOnly = { ...plan, seconds: SIDE_SECONDS, heavyShare: 0 };
  const quiet = await generator.run(hotOnly);
  const beside = await generator.run({ ...hotOnly, parallel: PARALLEL });
  printReport('hot reads alone', quiet);
  printReport(`hot reads beside ${PARALLEL} wide history queries`, beside);
  const factor = beside.hot.p99 / quiet.hot.p99;
  const isHealthy = beside.health.p99 < BUDGET.health && beside.failures + quiet.failures === 0;
  const isWithinBudget = factor <= BUDGET.beside && isHealthy;
  reportCost({
    work: `hot reads beside ${PARALLEL} wide queries`,
    measured: `p99 x ${factor.toFixed(1)}, /health p99 ${beside.health.p99.toFixed(1)} ms`,
    budget: `x ${BUDGET.beside}, ${BUDGET.health} ms`,
    isWithinBudget,
  });
  return isWithinBudget;
}

/** The history is read while the server runs, so requests about it wait for its first load. */
async function prepare(url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { status } = await fetch(`${url}${path}`);
    if (status !== 200) throw new Error(`status ${status} of ${path}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-mixed-'));
const generator = startGenerator();
let server: MeasuredServer | undefined;
try {
  server = await startTidegateWithHistory(folder, DAYS);
  const paths = await listMixedPaths(server.url, DAYS);
  await prepare(server.url, [...paths.hot, ...paths.heavy]);
  const base = { url: server.url, perSecond: PER_SECOND, heavyShare: HEAVY_SHARE, parallel: 0 };
  const plan = { ...base, ...paths, seconds: 0 };
  const isSteady = await soak({ server, generator, plan });
  const isIsolated = await measureBeside({ generator, plan });
  reportBudget(isSteady && isIsolated);
} catch (error) {
  if (isSmoke) console.error(readFileSync(join(folder, 'log'), 'utf8').slice(-2_000));
  throw error;
} finally {
  generator.stop();
  if (server !== undefined) await stopTidegate(server);
  rmSync(folder, { recursive: true, force: true });
}
