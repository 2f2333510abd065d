import { waitUntil } from '../waiting/wait-until.ts';
import { type Fault, pause } from './fault.ts';
import type { Member, Topology } from './topology.ts';

/** What a process logs if its password is refused. */
const REDIS_ADVICE = 'Correct user and password in REDIS_URL.';
const DATABASE_ADVICE = 'Correct user and password in DATABASE_URL';
const BUSY_ADVICE = 'Raise max_connections of the PostgreSQL server';

type Expected = {
  readonly members: readonly Member[];
  /** Of the output. */
  readonly since: number;
  readonly advice: string;
};

/** Until each of the processes has said what is the case. */
async function waitForAdvice(
  topology: Topology,
  { members, since, advice }: Expected,
): Promise<void> {
  for (const { name } of members) {
    const hasSaid = () => topology.linesOf(name, since).some((line) => line.includes(advice));
    await waitUntil(hasSaid, `${name} says “${advice}”`);
  }
}

const rotateRedisPassword: Fault = {
  name: 'Redis password rotated',
  async run({ topology }) {
    const { redis, links } = topology.parts;
    const since = topology.mark();
    await redis.rotatePassword();
    links.redis.cut();
    // the standby has no connection
    const writer = await topology.findWriter();
    const connected = topology.members.filter(
      (member) => member.command === 'api' || member === writer,
    );
    await waitForAdvice(topology, { members: connected, since, advice: REDIS_ADVICE });
    await topology.restartAll();
    return { detail: `${connected.length} processes said so` };
  },
};

const rotateDatabasePassword: Fault = {
  name: 'PostgreSQL password rotated',
  async run({ topology }) {
    const { database, links } = topology.parts;
    const since = topology.mark();
    await database.rotatePassword();
    links.postgres.cut();
    links.replica.cut();
    const { members } = topology;
    await waitForAdvice(topology, { members, since, advice: DATABASE_ADVICE });
    await topology.restartAll();
    return { detail: `${members.length} processes said so` };
  },
};

const exhaustConnections: Fault = {
  name: 'PostgreSQL connections exhausted',
  async run({ topology, random }) {
    const { database, links } = topology.parts;
    const since = topology.mark();
    await database.limitConnections(0);
    links.postgres.cut();
    const members = topology.members.filter(({ command }) => command === 'index');
    await waitForAdvice(topology, { members, since, advice: BUSY_ADVICE });
    const ms = await pause(random, [500, 3_000]);
    await database.limitConnections(-1);
    return { detail: `for ${ms} ms after the index processes said so` };
  },
};

export const credentialFaults: readonly Fault[] = [
  rotateRedisPassword,
  rotateDatabasePassword,
  exhaustConnections,
];
