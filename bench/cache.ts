import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import {
  type MeasuredServer,
  startTidegateWithHistory,
  stopTidegate,
} from './http/measured-servers.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * The cache of responses, on a server with the embedded cluster: which responses are computed again while slots with
 * changed accounts pass, and the memory of many responses with long URLs.
 */
const REQUESTS = sized(40, 3);
/** Longer than a slot, which changes accounts. */
const PAUSE_MS = 500;
const LONG_URLS = sized(1_355, 20);
const MARKETS_PER_URL = 500;
const BUDGET = { computedAgain: 0, cachedMegabytes: 68, growthMegabytes: 100 };

async function readMetrics({ url }: MeasuredServer): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

async function request({ url }: MeasuredServer, path: string): Promise<Response> {
  const response = await fetch(`${url}${path}`);
  if (response.status !== 200) throw new Error(`status ${response.status} of ${path.slice(0, 80)}`);
  await response.arrayBuffer();
  return response;
}

/** How often a cached response is computed again, and in how many slots. */
async function countComputed(server: MeasuredServer, path: string) {
  await request(server, path);
  const misses = async () => (await readMetrics(server))('tidegate_response_cache_misses_total');
  const before = await misses();
  const slots = new Set<string | null>();
  for (let count = 0; count < REQUESTS; count += 1) {
    await pause(PAUSE_MS);
    slots.add((await request(server, path)).headers.get('x-slot'));
  }
  return { computed: (await misses()) - before, slots: slots.size };
}

async function measureReuse(server: MeasuredServer): Promise<boolean> {
  const markets = await countComputed(server, '/v2/svc-market');
  const [{ lendingMarket = '' } = {}] = (await (
    await fetch(`${server.url}/v2/svc-market`)
  ).json()) as { lendingMarket?: string }[];
  const reserves = await countComputed(server, `/svc-market/${lendingMarket}/reserves/metrics`);
  // what accrues interest changes with each slot
  console.log(`reserve metrics: computed ${reserves.computed} times in ${reserves.slots} slots`);
  const isWithinBudget = markets.computed <= BUDGET.computedAgain;
  reportCost({
    work: 'cached list of markets, accounts of other kinds change',
    measured: `computed ${markets.computed} times in ${markets.slots} slots`,
    budget: `${BUDGET.computedAgain} times`,
    isWithinBudget,
  });
  return isWithinBudget;
}

const randomMarkets = (): string =>
  Array.from({ length: MARKETS_PER_URL }, () => addressFromBytes(randomBytes(32))).join();

async function measureKeys(server: MeasuredServer): Promise<boolean> {
  const before = (await readMetrics(server))('process_resident_memory_bytes');
  for (let count = 0; count < LONG_URLS; count += 1) {
    await request(server, `/svc-market/reserves/account-data?markets=${randomMarkets()}`);
  }
  const metric = await readMetrics(server);
  const cached = metric('tidegate_cached_response_bytes') / 1e6;
  const growth = (metric('process_resident_memory_bytes') - before) / 1e6;
  const isWithinBudget = cached <= BUDGET.cachedMegabytes && growth <= BUDGET.growthMegabytes;
  reportCost({
    work: `${LONG_URLS} responses with long URLs, keys included`,
    measured: `${cached.toFixed(0)} MB cached, ${growth.toFixed(0)} MB more resident memory`,
    budget: `${BUDGET.cachedMegabytes} and ${BUDGET.growthMegabytes} MB`,
    isWithinBudget,
  });
  return isWithinBudget;
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-cache-'));
let server: MeasuredServer | undefined;
try {
  server = await startTidegateWithHistory(folder, 1);
  const isReused = await measureReuse(server);
  const isSmall = await measureKeys(server);
  reportBudget(isReused && isSmall);
} finally {
  if (server !== undefined) await stopTidegate(server);
  rmSync(folder, { recursive: true, force: true });
}
