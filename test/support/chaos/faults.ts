import { waitUntil } from '../waiting/wait-until.ts';
import { credentialFaults } from './credential-faults.ts';
import { type Fault, pause, pick, requireWriter } from './fault.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { rollingRestart } from './rolling-restart.ts';
import { storeFaults } from './store-faults.ts';
import type { Topology } from './topology.ts';

const HOUR_MS = 3_600_000;
const SLOT_MS = 400;

const killWriter: Fault = {
  name: 'writer killed',
  async run(context) {
    const writer = await requireWriter(context);
    context.topology.kill(writer);
    await writer.running.role.exited;
    const ms = await pause(context.random, [0, 2_000]);
    await context.topology.restart(writer);
    return { detail: `${writer.name}, started again after ${ms} ms` };
  },
};

/** Longer than the database waits for a writer. */
const freezeWriter: Fault = {
  name: 'writer frozen',
  async run(context) {
    const { child } = (await requireWriter(context)).running.role;
    child.kill('SIGSTOP');
    const ms = await pause(context.random, [4_000, 5_000]);
    child.kill('SIGCONT');
    return { detail: `${ms} ms` };
  },
};

const killApi: Fault = {
  name: 'api killed',
  async run({ topology, random }) {
    const api = pick(random, topology.apis);
    topology.kill(api);
    await api.running.role.exited;
    const ms = await pause(random, [0, 1_000]);
    await topology.restart(api);
    return { detail: `${api.name}, started again after ${ms} ms` };
  },
};

const stopPostgres: Fault = {
  name: 'PostgreSQL stopped',
  async run({ topology, random }) {
    const { database } = topology.parts;
    const signal = pick(random, ['SIGINT', 'SIGQUIT'] as const);
    await database.stop(signal);
    const ms = await pause(random, [500, 3_000]);
    await database.start();
    return { detail: `${signal === 'SIGINT' ? 'shutdown' : 'crash'}, away for ${ms} ms` };
  },
};

const stopRedis: Fault = {
  name: 'Redis stopped',
  async run({ topology, random }) {
    const { redis } = topology.parts;
    await redis.stop();
    const ms = await pause(random, [500, 3_000]);
    await redis.restart();
    return { detail: `empty after ${ms} ms` };
  },
};

const stopRpc: Fault = {
  name: 'RPC stopped',
  async run({ topology, random }) {
    const { rpc } = topology.parts.links;
    rpc.reject();
    const ms = await pause(random, [500, 3_000]);
    rpc.heal();
    return { detail: `away for ${ms} ms` };
  },
};

const linksOf = ({ parts: { links } }: Topology): readonly FaultProxy[] => Object.values(links);

const cutConnections: Fault = {
  name: 'connections cut',
  async run({ topology, random }) {
    const times = Number(random.between(1n, 3n));
    let count = 0;
    for (let i = 0; i < times; i++) {
      for (const link of linksOf(topology)) {
        count += link.connections;
        link.cut();
      }
      await pause(random, [200, 1_000]);
    }
    return { detail: `${times} times, ${count} connections` };
  },
};

const delayConnections: Fault = {
  name: 'connections delayed',
  async run({ topology, random }) {
    const delayMs = Number(random.between(50n, 250n));
    for (const link of linksOf(topology)) link.delay(delayMs);
    await pause(random, [1_500, 3_000]);
    for (const link of linksOf(topology)) link.heal();
    return { detail: `${delayMs} ms each way` };
  },
};

const LINK_NAMES = ['postgres', 'redis', 'rpc'] as const;
/** Longer than a process waits for a reply of Redis. */
const REDIS_SILENCE_MS = [9_000, 11_000] as const;

const halfOpenConnections: Fault = {
  name: 'connections half-open',
  async run({ topology, random }) {
    const name = pick(random, LINK_NAMES);
    const link = topology.parts.links[name];
    const count = link.connections;
    link.halfOpen();
    await pause(random, [1_000, 3_000]);
    return { detail: `${count} connections to ${name}` };
  },
};

const dropPackets: Fault = {
  name: 'packets dropped',
  async run({ topology, random }) {
    const name = pick(random, ['postgres', 'rpc'] as const);
    const link = topology.parts.links[name];
    link.blackHole();
    const ms = await pause(random, [1_000, 4_000]);
    link.heal();
    return { detail: `to ${name} for ${ms} ms` };
  },
};

/** Until the processes have given up their connections, and new ones stay without an answer. */
const dropPacketsToRedis: Fault = {
  name: 'packets to Redis dropped',
  async run({ topology, random }) {
    const { redis } = topology.parts.links;
    const { connections, accepted } = redis;
    redis.blackHole();
    const ms = await pause(random, REDIS_SILENCE_MS);
    const attempts = redis.accepted - accepted;
    redis.heal();
    return { detail: `${connections} connections for ${ms} ms, ${attempts} attempts` };
  },
};

/** Confirmed slots too: deeper than any cluster does. */
const rollBackSlots: Fault = {
  name: 'slots rolled back',
  async run({ cluster, random }) {
    const slots = Number(random.between(3n, 12n));
    const newest = await cluster.rollBack(slots);
    // until all slots were repeated, and confirmed
    const { bank } = cluster.localnet;
    await waitUntil(() => bank.slot >= newest + 3n, 'the slots are repeated', SLOT_MS);
    return { detail: `${slots} slots from ${newest}` };
  },
};

const fillDisk: Fault = {
  name: 'disk full',
  async run({ topology, random }) {
    const { disk, database } = topology.parts;
    if (disk.fill === undefined) return { detail: 'needs root to mount a disk', isSkipped: true };
    disk.fill();
    const ms = await pause(random, [2_000, 4_000]);
    disk.empty();
    const hasStopped = !database.isRunning;
    if (hasStopped) await database.start();
    return { detail: `${ms} ms, PostgreSQL ${hasStopped ? 'stopped' : 'stayed'}` };
  },
};

const moveClock: Fault = {
  name: 'clock moved',
  async run({ topology, random }) {
    const members = topology.members.filter(() => random.between(0n, 1n) === 0n);
    const moved = members.length > 0 ? members : topology.members;
    const shiftMs = pick(random, [-HOUR_MS, -20_000, 20_000, HOUR_MS]);
    for (const member of moved) topology.shiftClock(member, shiftMs);
    await pause(random, [1_500, 3_000]);
    for (const member of moved) topology.shiftClock(member, 0);
    const names = moved.map(({ name }) => name).join(' ');
    return { detail: `${shiftMs / 1_000} s, ${names}` };
  },
};

const lagReplica: Fault = {
  name: 'replica lags',
  async run({ topology, random }) {
    const { replica } = topology.parts;
    await replica.query('select pg_wal_replay_pause()');
    const ms = await pause(random, [2_000, 3_500]);
    await replica.query('select pg_wal_replay_resume()');
    return { detail: `${ms} ms behind` };
  },
};

export const faults: readonly Fault[] = [
  killWriter,
  freezeWriter,
  killApi,
  stopPostgres,
  stopRedis,
  stopRpc,
  cutConnections,
  delayConnections,
  halfOpenConnections,
  dropPackets,
  dropPacketsToRedis,
  rollBackSlots,
  fillDisk,
  moveClock,
  lagReplica,
  ...storeFaults,
  ...credentialFaults,
  rollingRestart,
];
