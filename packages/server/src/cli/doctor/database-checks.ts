import type { ClusterName } from '../../clusters/served-clusters.ts';
import { genesisHashOf } from '../../composition/clusters/verify-cluster.ts';
import { historySchemaOf } from '../../composition/recording/open-cluster-history.ts';
import {
  type DatabaseFacts,
  inspectDatabase,
  type SchemaFacts,
  type TableFacts,
} from '../../history/inspect-database.ts';
import { allMigrations } from '../../history/migrations/all-migrations.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

export type DatabaseTarget = {
  readonly url: string;
  readonly setting: 'DATABASE_URL' | 'READ_DATABASE_URL';
  /** Clusters whose history is in the database. */
  readonly clusters: readonly ClusterName[];
  readonly timeoutMs: number;
};

const MIN_MAJOR_VERSION = 14;
/** The pool of one process. */
const POOL_CONNECTIONS = 10;

/** Checks a PostgreSQL database with one connection and reads only. */
export async function checkDatabase(target: DatabaseTarget): Promise<readonly Finding[]> {
  const { url, setting, clusters, timeoutMs } = target;
  const name = setting === 'DATABASE_URL' ? 'database' : 'read database';
  const schemas = clusters.map(historySchemaOf);
  const facts = await inspectDatabase(url, { schemas, timeoutMs });
  if ('reason' in facts) {
    const change = `Check that PostgreSQL runs, and host, user and password in ${setting}.`;
    return [problem(name, `It cannot be reached: ${facts.reason}`, change)];
  }
  const isWritten = setting === 'DATABASE_URL';
  return [
    checkVersion(name, facts),
    checkConnections(name, facts),
    ...(isWritten ? [checkRole(name, facts)] : []),
    ...facts.schemas.flatMap((schema, index) => {
      const env = clusters[index];
      return env === undefined ? [] : checkSchema(schema, { name, env, isWritten });
    }),
  ];
}

function checkVersion(name: string, { version, versionNumber }: DatabaseFacts): Finding {
  if (versionNumber >= MIN_MAJOR_VERSION * 10_000) {
    return ok(name, `PostgreSQL ${version} responds.`);
  }
  const message = `PostgreSQL ${version} is too old`;
  return problem(name, message, `Use PostgreSQL ${MIN_MAJOR_VERSION} or later.`);
}

function checkConnections(name: string, facts: DatabaseFacts): Finding {
  const { maxConnections, usedConnections } = facts;
  const free = maxConnections - usedConnections;
  const message = `${free} of ${maxConnections} connections are free`;
  const change = `A process uses up to ${POOL_CONNECTIONS}. Raise max_connections or use a pooler.`;
  if (free < POOL_CONNECTIONS) return problem(name, message, change);
  return free < 2 * POOL_CONNECTIONS ? warning(name, message, change) : ok(name, `${message}.`);
}

/** Whether the role may create the schema of a cluster, on a server that accepts writes. */
function checkRole(name: string, { isStandby, canCreateSchema, schemas }: DatabaseFacts): Finding {
  if (isStandby) {
    const change = 'Set DATABASE_URL to the primary server, and READ_DATABASE_URL to this one.';
    return problem(name, 'It is a standby and accepts no writes', change);
  }
  const missing = canCreateSchema ? [] : schemas.filter(({ exists }) => !exists);
  if (missing.length === 0) return ok(name, 'The role has the permissions that the server needs.');
  const names = missing.map((schema) => schema.name).join(', ');
  const change = 'Grant it CREATE on the database, or create the schema for it.';
  return problem(name, `The role cannot create the schema ${names}`, change);
}

type SchemaContext = {
  readonly name: string;
  readonly env: ClusterName;
  readonly isWritten: boolean;
};

function checkSchema(schema: SchemaFacts, context: SchemaContext): readonly Finding[] {
  const { name, env, isWritten } = context;
  const { tables } = schema;
  if (tables === undefined) {
    if (isWritten)
      return [ok(name, `The tables of ${schema.name} are created at the first start.`)];
    const change = 'Start the process that writes, and wait until the replica has its data.';
    return [problem(name, `${schema.name} has no tables that the role can use`, change)];
  }
  if (!tables.canRead || (isWritten && !tables.canWrite)) {
    const change = `Make the role the owner of the schema ${schema.name}.`;
    return [problem(name, `The role lacks permissions on the tables of ${schema.name}`, change)];
  }
  return [
    checkMigrations(name, schema.name, tables),
    checkOrigin(name, env, { schema: schema.name, ...tables }),
  ];
}

function checkMigrations(name: string, schema: string, { migrations }: TableFacts): Finding {
  const unknown = migrations.find((each, position) => allMigrations[position]?.name !== each);
  if (unknown !== undefined) {
    const message = `A later release has migrated ${schema} (${unknown})`;
    return problem(name, message, 'Install that release, or restore a backup of this one.');
  }
  const open = allMigrations.slice(migrations.length).map((migration) => migration.name);
  return open.length === 0
    ? ok(name, `The schema ${schema} has all ${migrations.length} migrations.`)
    : ok(name, `The schema ${schema} is migrated at the next start: ${open.join(', ')}.`);
}

type Origin = { readonly schema: string; readonly origin: TableFacts['origin'] };

/** Compares what the history says about its cluster with the configured one. */
function checkOrigin(name: string, env: ClusterName, { schema, origin }: Origin): Finding {
  const expected = genesisHashOf(env);
  const { play: simulated } = origin;
  const genesis = Object.entries(origin).find(([key]) => key.includes('genesis'))?.[1];
  const isOther =
    expected !== undefined &&
    (simulated !== undefined || (genesis !== undefined && genesis !== expected));
  if (!isOther) return ok(name, `The schema ${schema} is the history of ${env}.`);
  const found = simulated ?? `recorded from the cluster with the genesis hash ${genesis}`;
  const message = `The schema ${schema} has a history that was ${found}`;
  return problem(name, message, 'Use another database, or change CLUSTER.');
}
