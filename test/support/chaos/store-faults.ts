import { type Fault, pause, pick } from './fault.ts';
import type { Topology } from './topology.ts';

/** How long the history goes on after the dump. */
const LATER_MS = [3_000, 8_000] as const;
const SNAPSHOT_KEYS = '*:feed:*:snapshot:*';

async function killAndRestart(topology: Topology, members: Topology['members']): Promise<void> {
  for (const member of members) topology.kill(member);
  await Promise.all(members.map(({ running }) => running.role.exited));
  await Promise.all(members.map((member) => topology.restart(member)));
}

const restoreWhileRunning: Fault = {
  name: 'PostgreSQL restored under running processes',
  async run({ topology, random }) {
    const { database } = topology.parts;
    const dump = database.dump();
    const ms = await pause(random, LATER_MS);
    const way = pick(random, ['in place', 'another database'] as const);
    await database.restore(dump, way);
    return { detail: `${way}, without the last ${ms} ms` };
  },
};

const restoreWhileStopped: Fault = {
  name: 'PostgreSQL restored while all processes are stopped',
  async run({ topology, random }) {
    const { database } = topology.parts;
    const dump = database.dump();
    const ms = await pause(random, LATER_MS);
    for (const member of topology.members) topology.kill(member);
    await Promise.all(topology.members.map(({ running }) => running.role.exited));
    await database.restore(dump, 'another database');
    await Promise.all(topology.members.map((member) => topology.restart(member)));
    return { detail: `without the last ${ms} ms` };
  },
};

/** Whoever starts then needs another snapshot. */
const loseSnapshot: Fault = {
  name: 'Redis snapshot lost',
  async run({ topology, random }) {
    const { redis } = topology.parts;
    const keys = (await redis.send(['KEYS', SNAPSHOT_KEYS])) as string[];
    if (keys.length === 0) throw new Error('there is no snapshot');
    await redis.send(['DEL', ...keys]);
    const api = pick(random, topology.apis);
    await killAndRestart(topology, [api]);
    return { detail: `${keys.length} keys, ${api.name} started again` };
  },
};

const flushRedis: Fault = {
  name: 'Redis flushed',
  async run({ topology, random }) {
    await topology.parts.redis.send(['FLUSHALL']);
    const restarted = pick(random, [undefined, ...topology.apis]);
    if (restarted !== undefined) await killAndRestart(topology, [restarted]);
    return { detail: `${restarted === undefined ? 'nothing' : restarted.name} started again` };
  },
};

export const storeFaults: readonly Fault[] = [
  restoreWhileRunning,
  restoreWhileStopped,
  loseSnapshot,
  flushRedis,
];
