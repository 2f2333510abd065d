import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgresServer } from '../test/support/history/postgres-server.ts';
import { createPostgresDatabase } from '../test/support/history/test-databases.ts';
import { startRpcServer } from './load/start-rpc-server.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';
import { copyPreparedCluster } from './start/prepared-cluster.ts';
import { startServer, stopServer } from './start/start-server.ts';

/**
 * Resident memory of a server one minute after it is ready: `npm start` with the embedded cluster and its year of
 * history, and a server on PostgreSQL that follows a node with 1,000 loans.
 */
const BUDGET_MB = { embedded: 300, postgres: 150 };
const DAYS = sized(365, 1);
const LOANS = sized(1_000, 50);
const SETTLE_MS = sized(60_000, 500);

const folder = mkdtempSync(join(tmpdir(), 'tidegate-memory-'));

/** On systems other than Linux the server's own metric says the same. */
async function residentMegabytes(pid: number, url: string): Promise<number> {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (.+)$/m.exec(metrics)?.[1]) / 1024 ** 2;
}

async function measure(
  name: keyof typeof BUDGET_MB,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const server = await startServer(dataDir, env);
  try {
    await pause(SETTLE_MS);
    const megabytes = await residentMegabytes(server.process.pid ?? 0, server.url);
    const isWithinBudget = megabytes <= BUDGET_MB[name];
    reportCost({
      work: `memory, ${name}`,
      measured: `${megabytes.toFixed(0)} MB`,
      budget: `${BUDGET_MB[name]} MB`,
      isWithinBudget,
    });
    return isWithinBudget;
  } finally {
    await stopServer(server);
  }
}

async function measureEmbedded(): Promise<boolean> {
  const env = { LOCALNET_DAYS: `${DAYS}` };
  const simulate = async (target: string) => stopServer(await startServer(target, env));
  await copyPreparedCluster({ folder: join(folder, 'embedded'), days: DAYS, simulate });
  return measure('embedded', env);
}

async function measurePostgres(): Promise<boolean> {
  const postgres = await findPostgresServer();
  if (postgres === undefined) {
    console.log('postgres  skipped: set TEST_DATABASE_URL or start a server on the local socket');
    return true;
  }
  const node = await startRpcServer(LOANS);
  const { location, remove } = await createPostgresDatabase(postgres);
  try {
    return await measure('postgres', {
      RPC_URL: node.rpcUrl,
      WS_URL: node.wsUrl,
      CLUSTER: 'localnet',
      DATABASE_URL: location.url ?? '',
    });
  } finally {
    node.process.kill();
    await remove();
  }
}

try {
  const isEmbeddedWithin = await measureEmbedded();
  const isPostgresWithin = await measurePostgres();
  reportBudget(isEmbeddedWithin && isPostgresWithin);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
