import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from './compare/median.ts';
import {
  type MeasuredServer,
  startTidegateWithHistory,
  stopTidegate,
} from './http/measured-servers.ts';
import { threadTimes } from './idle/thread-times.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * CPU time of a year of history on a server with the embedded cluster: the first request of each series, and the same
 * request again. The CPU time that the server uses anyway is subtracted.
 */
const DAYS = sized(365, 1);
const SETTLE_MS = sized(20_000, 500);
const IDLE_MS = sized(10_000, 500);
const REPEATS = sized(20, 2);
const MAX_SUBJECTS = 5;
const DAY_MS = 86_400_000;

type Row = Readonly<Record<string, string>>;

type HeavyRead = {
  readonly work: string;
  readonly paths: readonly string[];
  /** Milliseconds of CPU; no budget if undefined. */
  readonly first: number | undefined;
  readonly later: number;
};

async function listReads(url: string): Promise<HeavyRead[]> {
  const get = async (path: string) => (await fetch(`${url}${path}`)).json();
  const list = async (path: string) => (await get(path)) as readonly Row[];
  const pick = (rows: readonly Row[], field: string) =>
    rows.slice(0, MAX_SUBJECTS).flatMap((row) => row[field] ?? []);
  const { wallet, market, obligation } = ((await get('/status')) as { demo: Row }).demo;
  const reserves = pick(await list(`/svc-market/${market}/reserves/metrics`), 'reserve');
  const vaults = pick(await list('/kvaults/vaults'), 'address');
  const held = pick(await list(`/kvaults/users/${wallet}/positions`), 'vaultAddress');
  const range = `start=${new Date(Date.now() - DAYS * DAY_MS).toISOString()}`;
  const year = `${DAYS} days of`;
  return [
    {
      work: `${year} a vault by day`,
      paths: vaults.map((vault) => `/kvaults/vaults/${vault}/metrics/history?${range}`),
      first: 60,
      later: 5,
    },
    {
      work: `${year} a reserve by hour`,
      paths: reserves.map(
        (each) =>
          `/svc-market/${market}/reserves/${each}/metrics/history?frequency=hour&env=localnet&${range}`,
      ),
      first: 300,
      later: 50,
    },
    {
      work: `${year} a market by day`,
      paths: [`/svc-market/${market}/metrics/history?env=localnet&${range}`],
      first: undefined,
      later: 50,
    },
    {
      work: `${year} a wallet's shares of a vault`,
      paths: held.map((each) => `/kvaults/users/${wallet}/vaults/${each}/metrics/history?${range}`),
      first: undefined,
      later: 50,
    },
    {
      work: `${year} a loan by day`,
      paths: [`/v2/svc-market/${market}/obligations/${obligation}/metrics/history?${range}`],
      first: undefined,
      later: 50,
    },
  ];
}

/** Asks the server only on systems other than Linux, because an answer takes milliseconds of CPU itself. */
async function cpuSeconds(server: MeasuredServer): Promise<number> {
  const threads = threadTimes(server.process.pid ?? 0);
  if (threads.size === 0) return server.cpuSeconds();
  return [...threads.values()].reduce((sum, seconds) => sum + seconds, 0);
}

async function cpuOf(server: MeasuredServer, path: string, idleShare: number): Promise<number> {
  const before = await cpuSeconds(server);
  const startedAt = performance.now();
  const response = await fetch(`${server.url}${path}`);
  if (response.status !== 200) throw new Error(`status ${response.status} of ${path}`);
  await response.arrayBuffer();
  const elapsed = performance.now() - startedAt;
  return ((await cpuSeconds(server)) - before) * 1000 - elapsed * idleShare;
}

function report(work: string, values: readonly number[], budget: number | undefined): boolean {
  const measured = Math.max(0, median(values));
  const isWithinBudget = budget === undefined || measured <= budget;
  const limit = budget === undefined ? 'none' : `${budget} ms`;
  reportCost({ work, measured: `${measured.toFixed(1)} ms CPU`, budget: limit, isWithinBudget });
  return isWithinBudget;
}

async function measureRead(
  server: MeasuredServer,
  { work, paths, first, later }: HeavyRead,
  idleShare: number,
): Promise<boolean> {
  const cold: number[] = [];
  const again: number[] = [];
  for (const path of paths) cold.push(await cpuOf(server, path, idleShare));
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const path of paths) again.push(await cpuOf(server, path, idleShare));
  }
  const isFirstWithin = report(`${work}, first`, cold, first);
  return report(`${work}, later`, again, later) && isFirstWithin;
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-heavy-'));
let server: MeasuredServer | undefined;
try {
  server = await startTidegateWithHistory(folder, DAYS);
  await pause(SETTLE_MS);
  const before = await cpuSeconds(server);
  await pause(IDLE_MS);
  const idleShare = ((await cpuSeconds(server)) - before) / (IDLE_MS / 1000);
  let isWithinBudget = true;
  for (const read of await listReads(server.url)) {
    isWithinBudget = (await measureRead(server, read, idleShare)) && isWithinBudget;
  }
  reportBudget(isWithinBudget);
} finally {
  if (server !== undefined) await stopTidegate(server);
  rmSync(folder, { recursive: true, force: true });
}
