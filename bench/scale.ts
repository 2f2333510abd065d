import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chainTimeAt, slotMsAt } from '#localnet/runtime/slot-time.ts';
import { reportCost } from './report-cost.ts';
import { measureThroughput, printThroughput, type Throughput } from './scale/api-throughput.ts';
import { type Deployment, type MeasuredRole, startDeployment } from './scale/deployment.ts';
import { readFeedFigures } from './scale/feed-figures.ts';
import { isSmoke, reportBudget, sized } from './smoke.ts';
import { waitUntilRecorded } from './start/first-recording.ts';

/**
 * A writer and its api processes: what they need with more and more generated loans, what the writer spends per update
 * (with everything else that it does meanwhile), what Redis carries, and the throughput of one and of two api processes. `--loans 10000,100000` selects the sizes.
 */
const { values } = parseArgs({ options: { loans: { type: 'string' } } });
const SIZES = (values.loans ?? (isSmoke ? '200' : '10000,100000,1000000')).split(',').map(Number);
const THROUGHPUT_LOANS = sized(1_000, 200);
/** Loans that change in every slot: 500 updates per second. */
const CHANGING = sized(200, 20);
const SETTLE_MS = sized(15_000, 500);
const WINDOW_MS = sized(30_000, 2_000);
const LAG_POLL_MS = 100;
const MS_PER_SLOT = Number(slotMsAt(chainTimeAt(Date.now())));
const BUDGET = { loanBytes: 400, lagMs: 2_000, updateMs: 250, cpuGrowth: 1.25 };

type Size = {
  readonly loans: number;
  readonly writerStart: number;
  readonly apiStart: number;
  readonly writerMegabytes: number;
  readonly writerPeakMegabytes: number;
  readonly apiMegabytes: number;
  readonly lagMs: number;
  readonly cpuMsPerThousand: number;
  readonly bytesPerUpdate: number;
  readonly bytesPerSecond: number;
  readonly snapshotMegabytes: number;
};

async function measureSize(loans: number): Promise<Size | undefined> {
  const deployment = await startDeployment(loans, CHANGING);
  if (deployment === undefined) return undefined;
  try {
    const api = await deployment.addApi();
    await waitUntilRecorded(deployment.writer.url);
    await pause(SETTLE_MS);
    return { loans, ...(await measureRunning(deployment, api)) };
  } finally {
    await deployment.stop();
  }
}

async function measureRunning(
  { writer, redisUrl, rpcUrl }: Deployment,
  api: MeasuredRole,
): Promise<Omit<Size, 'loans'>> {
  const { newestPosition } = await readFeedFigures(redisUrl, 0);
  const cpuBefore = writer.cpuSeconds();
  const start = performance.now();
  const lagMs = await measureLag(api.url, rpcUrl);
  const spent = writer.cpuSeconds() - cpuBefore;
  const seconds = (performance.now() - start) / 1_000;
  const feed = await readFeedFigures(redisUrl, newestPosition);
  return {
    writerStart: writer.startSeconds,
    apiStart: api.startSeconds,
    writerMegabytes: writer.megabytes(),
    writerPeakMegabytes: writer.peakMegabytes(),
    apiMegabytes: api.megabytes(),
    lagMs,
    cpuMsPerThousand: (spent * 1e6) / feed.updates,
    bytesPerUpdate: feed.bytes / feed.updates,
    bytesPerSecond: feed.bytes / seconds,
    snapshotMegabytes: feed.snapshotBytes / 1e6,
  };
}

/** The largest distance from the confirmed slot of the node to the served slot within the window, as time. */
async function measureLag(url: string, rpcUrl: string): Promise<number> {
  const end = performance.now() + WINDOW_MS;
  let slots = 0;
  while (performance.now() < end) {
    const node = await confirmedSlot(rpcUrl);
    const { headers } = await fetch(`${url}/health`);
    slots = Math.max(slots, node - Number(headers.get('x-slot')));
    await pause(LAG_POLL_MS);
  }
  return slots * MS_PER_SLOT;
}

async function confirmedSlot(rpcUrl: string): Promise<number> {
  const params = [{ commitment: 'confirmed' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot', params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpcUrl, { method: 'POST', headers, body });
  return ((await response.json()) as { result: number }).result;
}

async function measureApis(): Promise<readonly Throughput[]> {
  const deployment = await startDeployment(THROUGHPUT_LOANS);
  if (deployment === undefined) return [];
  try {
    const first = await deployment.addApi();
    const one = await measureThroughput([first]);
    const second = await deployment.addApi();
    return [one, await measureThroughput([first, second])];
  } finally {
    await deployment.stop();
  }
}

function reportSizes(sizes: readonly Size[]): boolean {
  const round = (value: number) => Number(value.toPrecision(3));
  console.table(
    sizes.map((size) => ({
      loans: size.loans,
      'start, s': `${round(size.writerStart)} and ${round(size.apiStart)}`,
      'memory, MB': `${round(size.writerMegabytes)} and ${round(size.apiMegabytes)}`,
      'peak of the writer, MB': round(size.writerPeakMegabytes),
      'lag, ms': size.lagMs,
      'CPU ms per 1,000 updates': round(size.cpuMsPerThousand),
      'bytes per update': round(size.bytesPerUpdate),
      'KB/s per api': round(size.bytesPerSecond / 1e3),
      'snapshot, MB': round(size.snapshotMegabytes),
    })),
  );
  console.log('start and memory: of the writer and of an api process');
  const [small] = sizes;
  const large = sizes.at(-1);
  if (small === undefined || large === undefined) return true;
  const added = (megabytes: (size: Size) => number) =>
    ((megabytes(large) - megabytes(small)) * 2 ** 20) / (large.loans - small.loans);
  const perLoan = Math.max(
    added((size) => size.writerMegabytes),
    added((size) => size.apiMegabytes),
  );
  const lagMs = Math.max(...sizes.map((size) => size.lagMs));
  const updateMs = Math.max(...sizes.map((size) => size.cpuMsPerThousand));
  const isWithinBudget =
    !(perLoan > BUDGET.loanBytes) && lagMs <= BUDGET.lagMs && updateMs <= BUDGET.updateMs;
  reportCost({
    work: `writer and api processes with ${large.loans} loans`,
    measured: `${perLoan.toFixed(0)} bytes per loan, lag ${lagMs} ms, ${updateMs.toFixed(0)} ms CPU per 1,000 updates`,
    budget: `${BUDGET.loanBytes} bytes, ${BUDGET.lagMs} ms, ${BUDGET.updateMs} ms`,
    isWithinBudget,
  });
  return isWithinBudget;
}

function reportThroughput(measured: readonly Throughput[]): boolean {
  printThroughput(measured);
  const [one, two] = measured;
  if (one === undefined || two === undefined) return true;
  const growth = two.cpuMicros / one.cpuMicros;
  const isWithinBudget = growth <= BUDGET.cpuGrowth;
  reportCost({
    work: 'CPU per request of two api processes against one',
    measured: `x ${growth.toFixed(2)}, ${(two.perSecond / one.perSecond).toFixed(2)} times the requests/s`,
    budget: `x ${BUDGET.cpuGrowth}`,
    isWithinBudget,
  });
  return isWithinBudget;
}

const throughput = await measureApis();
if (throughput.length === 0) {
  console.log(
    'skipped: needs redis-server, and PostgreSQL on the local socket or TEST_DATABASE_URL',
  );
} else {
  const areApisWithin = reportThroughput(throughput);
  const sizes: Size[] = [];
  for (const loans of SIZES) {
    const size = await measureSize(loans);
    if (size !== undefined) sizes.push(size);
  }
  reportBudget(reportSizes(sizes) && areApisWithin);
}
