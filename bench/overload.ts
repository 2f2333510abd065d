import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RatePlan, RateReport } from './overload/rate-plan.ts';
import { reportCost } from './report-cost.ts';
import { type MeasuredRole, startDeployment } from './scale/deployment.ts';
import { isSmoke, reportBudget, sized, sizeSetting } from './smoke.ts';

/**
 * An api process at the highest rate that it holds on this machine for ten minutes, then at twice that rate, then at the
 * first rate again. BENCH_MINUTES changes the time.
 */
const LOANS = sized(1_000, 100);
const SOAK_SECONDS = sized(sizeSetting('BENCH_MINUTES', 10, 10) * 60, 2);
const PROBE_SECONDS = sized(8, 0.5);
const OVERLOAD_SECONDS = sized(30, 1);
const RECOVERY_SECONDS = sized(10, 1);
const CONNECTIONS = 2_048;
const FIRST_RATE = sized(500, 100);
const MAX_RATE = sized(64_000, 200);
const RATE_STEP = 1.3;
/** A rate is held if all requests are answered, 99 % of them within this time. */
const HELD_P99_MS = 100;
const BUDGET = { p99Factor: 3, recoveryFactor: 1.5, megabytesPerMinute: 1 };
const MEMORY_SAMPLES = 20;

type Generator = { run(plan: Pick<RatePlan, 'perSecond' | 'seconds'>): Promise<RateReport> };

const isHeld = ({ accepted, rejected, rejectedWithoutRetry, failed, waiting }: RateReport) =>
  accepted.p99 <= HELD_P99_MS && rejected + rejectedWithoutRetry + failed + waiting === 0;

/** The highest rate that is held for seconds, less two steps of 30 %: a run of ten minutes has slower moments. */
async function findHeldRate(generator: Generator): Promise<number> {
  // connections, caches and compiled code of a new process
  await generator.run({ perSecond: FIRST_RATE, seconds: PROBE_SECONDS });
  let held = FIRST_RATE;
  for (let rate = FIRST_RATE; rate <= MAX_RATE; rate = Math.round(rate * RATE_STEP)) {
    if (!(await canHold(generator, rate))) break;
    held = rate;
  }
  return Math.round(held / RATE_STEP ** 2);
}

/** Other work of the machine may disturb an attempt. */
async function canHold(generator: Generator, perSecond: number): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const report = await generator.run({ perSecond, seconds: PROBE_SECONDS });
    printReport(`${perSecond} requests/s`, report);
    if (isHeld(report)) return true;
  }
  return false;
}

function printReport(title: string, report: RateReport): void {
  const { accepted, acceptedPerSecond, rejected, rejectedWithoutRetry, failed, waiting } = report;
  const { connections, utilization } = report;
  const times = `p50 ${accepted.p50.toFixed(1)} ms, p99 ${accepted.p99.toFixed(1)} ms`;
  const others = `503 ${rejected} (without retry-after ${rejectedWithoutRetry}), failed ${failed}, not sent ${waiting}; ${connections} connections, generator ${(utilization * 100).toFixed(0)} % busy`;
  console.log(`${title}: ${acceptedPerSecond.toFixed(0)} accepted/s, ${times}; ${others}`);
}

/** The slope of the resident memory in the second half of a run, in megabytes per minute. */
async function sampleMemory(api: MeasuredRole, seconds: number): Promise<number> {
  const samples: { readonly minutes: number; readonly megabytes: number }[] = [];
  for (let i = 0; i < MEMORY_SAMPLES; i++) {
    await pause((seconds * 1_000) / MEMORY_SAMPLES);
    const minutes = (i * seconds) / MEMORY_SAMPLES / 60;
    samples.push({ minutes, megabytes: api.megabytes() });
  }
  const late = samples.slice(MEMORY_SAMPLES / 2);
  const mean = (of: (sample: (typeof late)[number]) => number) =>
    late.reduce((sum, sample) => sum + of(sample), 0) / late.length;
  const minutes = mean((sample) => sample.minutes);
  const megabytes = mean((sample) => sample.megabytes);
  const covariance = mean((each) => (each.minutes - minutes) * (each.megabytes - megabytes));
  return covariance / mean((each) => (each.minutes - minutes) ** 2);
}

async function soak(api: MeasuredRole, generator: Generator, rate: number): Promise<Normal> {
  const [report, slope] = await Promise.all([
    generator.run({ perSecond: rate, seconds: SOAK_SECONDS }),
    sampleMemory(api, SOAK_SECONDS),
  ]);
  printReport(`${rate} requests/s for ${SOAK_SECONDS} s`, report);
  const isSteady = isHeld(report) && slope <= BUDGET.megabytesPerMinute;
  reportCost({
    work: `${rate} requests/s for ${SOAK_SECONDS} s`,
    measured: `p99 ${report.accepted.p99.toFixed(1)} ms, memory ${slope.toFixed(2)} MB per minute`,
    budget: `p99 ${HELD_P99_MS} ms, no error, ${BUDGET.megabytesPerMinute} MB per minute`,
    isWithinBudget: isSteady,
  });
  return { rate, p99: report.accepted.p99, isSteady };
}

type Normal = { readonly rate: number; readonly p99: number; readonly isSteady: boolean };

async function overload(generator: Generator, { rate, p99 }: Normal): Promise<boolean> {
  const doubled = await generator.run({ perSecond: 2 * rate, seconds: OVERLOAD_SECONDS });
  printReport(`twice the rate, ${2 * rate} requests/s`, doubled);
  const after = await generator.run({ perSecond: rate, seconds: RECOVERY_SECONDS });
  printReport('at once afterwards, the first rate', after);
  const factor = doubled.accepted.p99 / p99;
  const isShed = doubled.failed + doubled.rejectedWithoutRetry === 0 && factor <= BUDGET.p99Factor;
  const hasRecovered =
    after.failed + after.rejected === 0 && after.accepted.p99 <= BUDGET.recoveryFactor * p99;
  reportCost({
    work: 'twice the rate',
    measured: `p99 of accepted x ${factor.toFixed(1)}, ${doubled.rejected} rejected with retry-after, then p99 x ${(after.accepted.p99 / p99).toFixed(1)}`,
    budget: `x ${BUDGET.p99Factor}, then x ${BUDGET.recoveryFactor}`,
    isWithinBudget: isShed && hasRecovered,
  });
  return isShed && hasRecovered;
}

/** Half of the requests name a slot, which the quick path for cached responses does not serve. */
async function listPaths(url: string): Promise<readonly string[]> {
  const markets = (await (await fetch(`${url}/v2/svc-market`)).json()) as {
    readonly lendingMarket: string;
  }[];
  const reserves = markets.map(
    ({ lendingMarket }) => `/svc-market/${lendingMarket}/reserves/metrics`,
  );
  const paths = ['/v2/svc-market', '/kvaults/vaults', '/oracles/prices', ...reserves];
  return [...paths, ...paths.map((path) => `${path}?minContextSlot=1`)];
}

async function runAll(api: MeasuredRole): Promise<void> {
  const file = fileURLToPath(new URL('overload/load-generator.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  const base = { url: api.url, paths: await listPaths(api.url), connections: CONNECTIONS };
  const generator: Generator = {
    async run(plan) {
      child.send({ ...base, ...plan });
      const [report] = (await once(child, 'message')) as [RateReport];
      return report;
    },
  };
  try {
    const normal = await soak(api, generator, await findHeldRate(generator));
    const isShed = await overload(generator, normal);
    reportBudget(normal.isSteady && isShed);
  } finally {
    child.disconnect();
  }
}

const deployment = await startDeployment(LOANS);
if (deployment === undefined) {
  console.log(
    'skipped: needs redis-server, and PostgreSQL on the local socket or TEST_DATABASE_URL',
  );
} else {
  try {
    await runAll(await deployment.addApi());
  } finally {
    await deployment.stop();
  }
  if (isSmoke) console.log('the rates of a smoke run say nothing');
}
