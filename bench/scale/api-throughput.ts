import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LoadResult } from '../http/load-client.ts';
import { sized } from '../smoke.ts';
import { cpuShare, type MeasuredRole } from './deployment.ts';
import type { GeneratedLoad } from './load-generator.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = sized(3, 0.2);
const SECONDS = sized(15, 0.5);
const IDLE_SECONDS = sized(10, 0.5);
/** The number of processes that is computed, not measured. */
const COMPUTED_APIS = 8;

export type Throughput = {
  readonly apis: number;
  readonly perSecond: number;
  readonly p99: number;
  /** CPU time of the api processes per request, without following the feed. */
  readonly cpuMicros: number;
  /** CPU time per second of one process that nobody calls. */
  readonly idleShare: number;
};

/** Reads the same path from all processes at the same time, each over connections of its own. */
export async function measureThroughput(apis: readonly MeasuredRole[]): Promise<Throughput> {
  const path = await findHotPath(apis[0]?.url ?? '');
  const idle = await Promise.all(apis.map((api) => cpuShare(api, IDLE_SECONDS)));
  const idleShare = idle.reduce((sum, share) => sum + share, 0);
  const run = (seconds: number) =>
    Promise.all(
      apis.map(({ url }) => generate({ url: `${url}${path}`, connections: CONNECTIONS, seconds })),
    );
  await run(WARM_UP_SECONDS);
  const before = apis.reduce((sum, api) => sum + api.cpuSeconds(), 0);
  const results = await run(SECONDS);
  const spent = apis.reduce((sum, api) => sum + api.cpuSeconds(), 0) - before;
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  return {
    apis: apis.length,
    perSecond: results.reduce((sum, result) => sum + result.requests / result.seconds, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    cpuMicros: ((spent - idleShare * SECONDS) * 1e6) / requests,
    idleShare: idleShare / apis.length,
  };
}

/** Requests per second of one process with a core of its own, from its CPU time: what one core has left per request. */
const perCore = ({ idleShare, cpuMicros }: Throughput): number =>
  ((1 - idleShare) * 1e6) / cpuMicros;

export function printThroughput(measured: readonly Throughput[]): void {
  const [one] = measured;
  const rows = measured.map((each) => ({
    'api processes': `${each.apis}`,
    'requests/s': Math.round(each.perSecond),
    'p99 ms': Number(each.p99.toFixed(1)),
    'CPU µs per request': Number(each.cpuMicros.toFixed(1)),
    'following, % of a core': Number((each.idleShare * 100).toFixed(1)),
  }));
  console.table(rows);
  console.log(`on ${availableParallelism()} cores, which the load generators and PostgreSQL share`);
  if (one === undefined) return;
  const computed = Math.round(perCore(one) * COMPUTED_APIS);
  console.log(
    `computed, not measured: ${COMPUTED_APIS} api processes with a core each serve ${computed} requests/s`,
  );
}

async function generate(plan: GeneratedLoad): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  child.send(plan);
  const [result] = (await once(child, 'message')) as [LoadResult];
  return result;
}

async function findHotPath(url: string): Promise<string> {
  const response = await fetch(`${url}/v2/svc-market`);
  const [market] = (await response.json()) as { readonly lendingMarket: string }[];
  return `/svc-market/${market?.lendingMarket}/reserves/metrics`;
}
