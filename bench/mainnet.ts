import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chainTimeAt, slotMsAt } from '#localnet/runtime/slot-time.ts';
import { sumTraffic, type TrafficFigures } from '../test/support/simulated-mainnet/traffic.ts';
import { folderBytes } from './growth/server-figures.ts';
import {
  costsPerMinute,
  type DropFigures,
  type FollowFigures,
  measureDrop,
  measureWindow,
  percentile,
} from './mainnet/follow-window.ts';
import { MainnetProcess } from './mainnet/mainnet-process.ts';
import { readProcessMemory } from './mainnet/process-memory.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';
import { waitUntilRecorded } from './start/first-recording.ts';
import { type StartedServer, startServer, stopServer } from './start/start-server.ts';

/**
 * A server on a simulated mainnet: its start, what it costs when nothing happens and when much does, and what a drop of
 * its sockets costs. `--plain`: the node does not offer `getProgramAccountsV2`. `--database-url URL`: the history is in this
 * empty PostgreSQL database instead of the embedded one.
 */
const { values } = parseArgs({
  options: { plain: { type: 'boolean', default: false }, 'database-url': { type: 'string' } },
});
const DATABASE_URL = values['database-url'];
const LOANS = sized(300_000, 500);
const FARM_USERS = sized(400_000, 500);
const RATES = { updates: sized(2_000, 50), transactions: sized(40, 5) };
const NO_RATES = { updates: 0, transactions: 0 };
const IDLE_SECONDS = sized(60, 4);
const LIVE_SECONDS = sized(45, 4);
const DROP = { seconds: sized(10, 1), maxLag: 5, maxSeconds: sized(180, 30) };
const MS_PER_SLOT = Number(slotMsAt(chainTimeAt(Date.now())));
const BUDGET = { idleCalls: 60, peakMegabytes: 600 };

type Measured = {
  readonly peakAtReady: number;
  readonly memory: { readonly now: number; readonly peak: number };
  readonly idle: FollowFigures;
  readonly updates: FollowFigures;
  readonly live: FollowFigures;
  readonly drop: DropFigures;
  /** Stored bytes before and after `updates` and `live`. */
  readonly disk: readonly number[];
};

async function measureServer(node: MainnetProcess, server: StartedServer): Promise<Measured> {
  const { url, process: child, ready: readySeconds } = server;
  const { pid = 0 } = child;
  const peakAtReady = readProcessMemory(pid).peak;
  console.log(
    `ready after ${readySeconds.toFixed(1)} s, ${peakAtReady.toFixed(0)} MB at most while loading`,
  );
  const recordSeconds = await waitUntilRecorded(url);
  console.log(`first load recorded ${recordSeconds.toFixed(0)} s later`);
  await pause(sized(10_000, 100));
  const idle = await measureWindow(node, url, IDLE_SECONDS);
  printWindow('idle', idle);
  const disk = [await storedBytes()];
  await node.send({ kind: 'rates', rates: { ...RATES, transactions: 0 } });
  const updates = await measureWindow(node, url, LIVE_SECONDS);
  printWindow(`${RATES.updates} updates per second`, updates);
  disk.push(await storedBytes());
  await node.send({ kind: 'rates', rates: RATES });
  const live = await measureWindow(node, url, LIVE_SECONDS);
  printWindow(`${RATES.updates} updates and ${RATES.transactions} transactions per second`, live);
  disk.push(await storedBytes());
  const drop = await measureDrop(node, url, DROP);
  await node.send({ kind: 'rates', rates: NO_RATES });
  const memory = readProcessMemory(pid);
  return { peakAtReady, memory, idle, updates, live, drop, disk };
}

/** Of the PostgreSQL database without its log of changes, or of the data folder. */
async function storedBytes(): Promise<number> {
  if (DATABASE_URL === undefined) return folderBytes(folder);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  await client.end();
  return Number(rows[0]?.bytes);
}

/** CPU beyond that of an idle server. */
function cpuPerThousand(measured: FollowFigures, idle: FollowFigures, count: number): number {
  const added =
    measured.cpuSeconds / measured.seconds - idle.cpuSeconds / Math.max(1, idle.seconds);
  return (added * measured.seconds * 1e6) / Math.max(1, count);
}

function printTraffic(name: string, traffic: TrafficFigures): void {
  console.log(name);
  console.table(
    Object.fromEntries(
      Object.entries(traffic)
        .toSorted(([, a], [, b]) => b.bytes - a.bytes)
        .map(([method, { calls, bytes, accounts }]) => [
          method,
          { calls, MB: Number((bytes / 1e6).toFixed(2)), 'generated accounts': accounts },
        ]),
    ),
  );
}

function printWindow(name: string, figures: FollowFigures): void {
  const { calls, callBytes, notifications, notificationBytes } = costsPerMinute(figures);
  const { lags, cpuSeconds, seconds } = figures;
  const lagMs = (part: number) => percentile(lags, part) * MS_PER_SLOT;
  console.log(
    `${name}: ${calls.toFixed(0)} calls and ${(callBytes / 1e6).toFixed(2)} MB, ${notifications.toFixed(0)} notifications and ${(notificationBytes / 1e6).toFixed(1)} MB per minute; ` +
      `${((cpuSeconds * 100) / seconds).toFixed(0)} % of a core; lag p50 ${lagMs(0.5)} ms, p99 ${lagMs(0.99)} ms`,
  );
}

function printFigures({ idle, updates, live, drop, disk }: Measured): void {
  const written = sumTraffic(updates.traffic, 'notifications').calls;
  console.log(`${cpuPerThousand(updates, idle, written).toFixed(0)} ms CPU per 1,000 updates`);
  const perTransaction = cpuPerThousand(live, updates, live.transactions) / 1_000;
  console.log(
    `${live.transactions} transactions: ${perTransaction.toFixed(1)} ms CPU each, with their account updates`,
  );
  const megabytes = disk.map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`).join(', ');
  console.log(`stored: ${megabytes} after the load, the updates, the transactions`);
  printTraffic('calls of the idle server', idle.traffic);
  printTraffic('calls with updates and transactions', live.traffic);
  printTraffic(`drop of ${DROP.seconds} s`, drop.traffic);
}

function report({ peakAtReady, memory, idle, drop }: Measured): boolean {
  const idleCalls = costsPerMinute(idle).calls;
  const reread = sumTraffic(drop.traffic, 'calls');
  const changed = RATES.updates * (DROP.seconds + drop.seconds);
  const costs = [
    {
      work: 'calls per minute, idle',
      measured: idleCalls.toFixed(0),
      budget: `${BUDGET.idleCalls}`,
      isWithinBudget: idleCalls <= BUDGET.idleCalls,
    },
    {
      work: `memory with ${LOANS} loans and ${FARM_USERS} farm users`,
      measured: `${peakAtReady.toFixed(0)} MB while loading, ${memory.peak.toFixed(0)} MB at most, ${memory.now.toFixed(0)} MB at the end`,
      budget: `${BUDGET.peakMegabytes} MB while loading`,
      isWithinBudget: !(peakAtReady > BUDGET.peakMegabytes),
    },
    {
      work: `socket drop of ${DROP.seconds} s`,
      measured: `${reread.calls} calls, ${(reread.bytes / 1e6).toFixed(1)} MB, ${reread.accounts} accounts, current after ${drop.seconds.toFixed(1)} s`,
      budget: values.plain ? 'none' : `twice the ${changed.toFixed(0)} accounts that changed`,
      isWithinBudget: values.plain || reread.accounts <= 2 * changed,
    },
  ];
  for (const cost of costs) reportCost(cost);
  return costs.every(({ isWithinBudget }) => isWithinBudget);
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-mainnet-'));
const node = await MainnetProcess.start({
  loans: LOANS,
  farmUsers: FARM_USERS,
  hasPages: !values.plain,
});
try {
  const server = await startServer(folder, {
    RPC_URL: node.rpcUrl,
    WS_URL: node.wsUrl,
    CLUSTER: 'localnet',
    RATE_LIMIT: 'off',
    ...(DATABASE_URL !== undefined && { DATABASE_URL }),
  });
  try {
    const measured = await measureServer(node, server);
    printFigures(measured);
    reportBudget(report(measured));
  } finally {
    await stopServer(server);
  }
} finally {
  node.stop();
  rmSync(folder, { recursive: true, force: true });
}
