import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisProcess, startRedis } from '../processes/redis-process.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PostgresProcess } from './postgres-process.ts';
import { createSmallDisk, type SmallDisk } from './small-disk.ts';

const DISK_MEGABYTES = 200;
const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 1e9;

type Links = Readonly<Record<'postgres' | 'replica' | 'redis' | 'rpc', FaultProxy>>;

/** What the processes of a deployment depend on, each behind a proxy. */
export type TopologyParts = {
  readonly folder: string;
  readonly disk: SmallDisk;
  readonly database: PostgresProcess;
  readonly replica: PostgresProcess;
  readonly redis: RedisProcess;
  readonly links: Links;
  remove(): Promise<void>;
};

export async function startParts(rpcPort: number): Promise<TopologyParts> {
  const folder = mkdtempSync(join(fastFolder(), 'tidegate-chaos-'));
  // the user of PostgreSQL must reach its folders
  chmodSync(folder, 0o711);
  const disk = createSmallDisk(join(folder, 'primary'), DISK_MEGABYTES);
  const database = await PostgresProcess.create(disk.folder);
  const replicaFolder = join(folder, 'replica');
  mkdirSync(replicaFolder);
  const replica = await PostgresProcess.createReplica(database, replicaFolder);
  const redis = await startRedis({ hasPassword: true });
  const redisPort = Number(new URL(redis.url).port);
  const links = {
    postgres: await FaultProxy.start(database.connectSocket),
    replica: await FaultProxy.start(replica.connectSocket),
    redis: await FaultProxy.start(() => connect(redisPort, '127.0.0.1')),
    rpc: await FaultProxy.start(() => connect(rpcPort, '127.0.0.1')),
  };
  return {
    ...{ folder, disk, database, replica, redis, links },
    async remove() {
      await Promise.all(Object.values(links).map((link) => link.close()));
      await redis.stop();
      await replica.stop('SIGQUIT');
      await database.stop('SIGQUIT');
      disk.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A file system in memory if there is one with enough space. */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
