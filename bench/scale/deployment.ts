import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type RoleProcess,
  startRole,
  waitUntilRoleReady,
} from '../../scripts/topology/role-process.ts';
import { findPostgresServer } from '../../test/support/history/postgres-server.ts';
import { createPostgresDatabase } from '../../test/support/history/test-databases.ts';
import { hasRedis, startRedis } from '../../test/support/processes/redis-process.ts';
import { childSeconds, threadTimes } from '../idle/thread-times.ts';
import { startRpcServer } from '../load/start-rpc-server.ts';

/** An `index` or `api` process that is ready. */
export type MeasuredRole = {
  readonly url: string;
  /** From its start until it was ready. */
  readonly startSeconds: number;
  /** CPU time so far, of all threads. */
  cpuSeconds(): number;
  megabytes(): number;
  /** The most that it ever had. */
  peakMegabytes(): number;
  stop(): Promise<void>;
};

/** A writer on its own PostgreSQL database and Redis, following a node with generated loans. */
export type Deployment = {
  readonly redisUrl: string;
  readonly rpcUrl: string;
  readonly writer: MeasuredRole;
  addApi(): Promise<MeasuredRole>;
  stop(): Promise<void>;
};

/** `changing`: further loans that change in every slot. Undefined without PostgreSQL or Redis. */
export async function startDeployment(
  loans: number,
  changing = 0,
): Promise<Deployment | undefined> {
  const postgres = await findPostgresServer();
  if (postgres === undefined || !hasRedis()) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-scale-'));
  const node = await startRpcServer(loans, changing);
  const database = await createPostgresDatabase(postgres);
  const redis = await startRedis();
  const env = {
    PATH: process.env['PATH'],
    RPC_URL: node.rpcUrl,
    WS_URL: node.wsUrl,
    CLUSTER: 'localnet',
    DATABASE_URL: database.location.url,
    REDIS_URL: redis.url,
    RATE_LIMIT: '999999999/1m',
  };
  const roles: MeasuredRole[] = [];
  const add = async (command: 'index' | 'api'): Promise<MeasuredRole> => {
    const name = `${command}-${roles.length}`;
    const role = await measureStart(() => {
      const dataDir = join(folder, name);
      return startRole({ command, name, port: 0, dataDir, env, onOutput: () => undefined });
    });
    roles.push(role);
    return role;
  };
  return {
    redisUrl: redis.url,
    rpcUrl: node.rpcUrl,
    writer: await add('index'),
    addApi: () => add('api'),
    async stop() {
      await Promise.all(roles.map((role) => role.stop()));
      node.process.kill();
      await redis.stop();
      await database.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function measureStart(start: () => RoleProcess): Promise<MeasuredRole> {
  const startedAt = performance.now();
  const role = start();
  const url = await waitUntilRoleReady(role);
  const pid = role.child.pid ?? 0;
  return {
    url,
    startSeconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: () =>
      [...threadTimes(pid).values()].reduce((sum, seconds) => sum + seconds, childSeconds(pid)),
    megabytes: () => readMegabytes(pid, 'VmRSS'),
    peakMegabytes: () => readMegabytes(pid, 'VmHWM'),
    async stop() {
      role.child.kill('SIGTERM');
      await role.exited;
    },
  };
}

/** Resident memory, now or at most. NaN on systems other than Linux. */
function readMegabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
}

/** CPU time per second of a process over some seconds. */
export async function cpuShare(role: MeasuredRole, seconds: number): Promise<number> {
  const before = role.cpuSeconds();
  const start = performance.now();
  await pause(seconds * 1_000);
  return ((role.cpuSeconds() - before) * 1_000) / (performance.now() - start);
}
