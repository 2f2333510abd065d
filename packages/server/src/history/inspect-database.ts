import { formatError } from '@tidegate/core/base';
import pg from 'pg';

/** What a PostgreSQL server says about itself, the role and the schemas of the history. */
export type DatabaseFacts = {
  readonly version: string;
  /** Such as 140005 for 14.5. */
  readonly versionNumber: number;
  /** Connections for roles without special rights. */
  readonly maxConnections: number;
  readonly usedConnections: number;
  readonly isStandby: boolean;
  readonly canCreateSchema: boolean;
  readonly schemas: readonly SchemaFacts[];
};

export type SchemaFacts = {
  readonly name: string;
  readonly exists: boolean;
  /** Undefined if the role cannot see the tables, or there are none. */
  readonly tables: TableFacts | undefined;
};

export type TableFacts = {
  readonly canRead: boolean;
  readonly canWrite: boolean;
  /** Migrations that have run, in order. Empty without the permission to read. */
  readonly migrations: readonly string[];
  /** What the history stores about its cluster. */
  readonly origin: Readonly<Record<string, string>>;
};

type InspectOptions = { readonly schemas: readonly string[]; readonly timeoutMs: number };

/** Reads the facts with one connection and changes nothing. `reason`: why the server cannot be reached. */
export async function inspectDatabase(
  url: string,
  { schemas, timeoutMs }: InspectOptions,
): Promise<DatabaseFacts | { readonly reason: string }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return { reason: formatError(error) };
  }
  try {
    const found: SchemaFacts[] = [];
    for (const name of schemas) found.push(await inspectSchema(client, name));
    return { ...(await inspectServer(client)), schemas: found };
  } finally {
    await client.end();
  }
}

async function inspectServer(client: pg.Client): Promise<Omit<DatabaseFacts, 'schemas'>> {
  const { rows } = await client.query<Omit<DatabaseFacts, 'schemas'>>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int4 as "versionNumber",
       current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4
         as "maxConnections",
       (select count(*)::int4 from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
       pg_is_in_recovery() as "isStandby",
       has_database_privilege(current_database(), 'CREATE') as "canCreateSchema"`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('the server returned no row');
  return facts;
}

async function inspectSchema(client: pg.Client, name: string): Promise<SchemaFacts> {
  const schemas = await client.query('select from pg_namespace where nspname = $1', [name]);
  const exists = schemas.rowCount === 1;
  const { rows } = await client.query<Pick<TableFacts, 'canRead' | 'canWrite'>>(
    `select has_table_privilege(c.oid, 'SELECT') as "canRead", has_table_privilege(c.oid, 'INSERT') as "canWrite"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'migration' and has_schema_privilege(n.oid, 'USAGE')`,
    [name],
  );
  const [permissions] = rows;
  if (permissions === undefined) return { name, exists, tables: undefined };
  const content = permissions.canRead
    ? await readContent(client, name)
    : { migrations: [], origin: {} };
  return { name, exists, tables: { ...permissions, ...content } };
}

async function readContent(
  client: pg.Client,
  schema: string,
): Promise<Pick<TableFacts, 'migrations' | 'origin'>> {
  const id = client.escapeIdentifier(schema);
  const migrations = await client.query<{ name: string }>(
    `select name from ${id}.migration order by position`,
  );
  const origin = await client.query<{ name: string; value: string }>(
    `select name, value from ${id}.origin`,
  );
  return {
    migrations: migrations.rows.map(({ name }) => name),
    origin: Object.fromEntries(origin.rows.map(({ name, value }) => [name, value])),
  };
}
