import type { Member, Topology } from './topology.ts';

/** A fault that lasts until it is ended. `begin` returns undefined if it cannot happen here. */
export type LastingFault = {
  /** As in the table of alerts. */
  readonly name: string;
  begin(topology: Topology): Promise<(() => Promise<void>) | undefined>;
};

async function killUntilEnd(
  topology: Topology,
  members: readonly Member[],
): Promise<() => Promise<void>> {
  for (const member of members) topology.kill(member);
  await Promise.all(members.map(({ running }) => running.role.exited));
  return async () => {
    for (const member of members) await topology.restart(member);
  };
}

async function requireWriter(topology: Topology): Promise<Member> {
  const writer = await topology.findWriter();
  if (writer === undefined) throw new Error('no index process writes');
  return writer;
}

export const lastingFaults: readonly LastingFault[] = [
  { name: 'none', begin: async () => async () => undefined },
  {
    name: 'writer killed',
    begin: async (topology) => killUntilEnd(topology, [await requireWriter(topology)]),
  },
  {
    name: 'writer frozen',
    async begin(topology) {
      const { child } = (await requireWriter(topology)).running.role;
      child.kill('SIGSTOP');
      return async () => void child.kill('SIGCONT');
    },
  },
  {
    name: 'api killed',
    begin: (topology) => killUntilEnd(topology, topology.apis.slice(0, 1)),
  },
  {
    name: 'all index processes killed',
    begin: (topology) =>
      killUntilEnd(
        topology,
        topology.members.filter(({ command }) => command === 'index'),
      ),
  },
  {
    name: 'PostgreSQL stopped',
    async begin({ parts: { database, replica } }) {
      await database.stop('SIGINT');
      await replica.stop('SIGINT');
      return async () => {
        await database.start();
        await replica.start();
      };
    },
  },
  {
    name: 'disk full',
    async begin({ parts: { disk, database } }) {
      if (disk.fill === undefined) return undefined;
      disk.fill();
      return async () => {
        disk.empty();
        if (!database.isRunning) await database.start();
      };
    },
  },
  {
    name: 'Redis stopped',
    async begin({ parts: { redis } }) {
      await redis.stop();
      return () => redis.restart();
    },
  },
  {
    name: 'RPC stopped',
    async begin({ parts: { links } }) {
      links.rpc.reject();
      return async () => links.rpc.heal();
    },
  },
  {
    name: 'replica lags',
    async begin({ parts: { replica } }) {
      await replica.query('select pg_wal_replay_pause()');
      return async () => void (await replica.query('select pg_wal_replay_resume()'));
    },
  },
  {
    name: 'Redis password rotated',
    async begin(topology) {
      await topology.parts.redis.rotatePassword();
      topology.parts.links.redis.cut();
      return () => topology.restartAll();
    },
  },
  {
    name: 'PostgreSQL password rotated',
    async begin(topology) {
      await topology.parts.database.rotatePassword();
      topology.parts.links.postgres.cut();
      topology.parts.links.replica.cut();
      return () => topology.restartAll();
    },
  },
  {
    name: 'PostgreSQL connections exhausted',
    async begin({ parts: { database, links } }) {
      await database.limitConnections(0);
      links.postgres.cut();
      links.replica.cut();
      return () => database.limitConnections(-1);
    },
  },
];
