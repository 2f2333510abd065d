import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { openEmbeddedDatabase } from './embedded/open-embedded-database.ts';
import { migrate } from './migrations/migrate.ts';
import type { HistoryTables } from './schema/tables.ts';

export type HistorySettings = {
  /** A PostgreSQL URL. If undefined, the embedded database is opened. */
  readonly url: string | undefined;
  /** PostgreSQL schema, created if missing; the default schema if omitted. Each cluster has its own. */
  readonly schema?: string;
  /** Folder of the embedded database, which only one process can open at a time. */
  readonly folder: string;
  readonly log: Logger;
};

/** An open history database with this release's schema. */
export type History = {
  readonly db: Kysely<HistoryTables>;
  readonly engine: 'pglite' | 'postgres';
  close(): Promise<void>;
};

const MIN_SERVER_VERSION = 140_000;
/** Advisory lock key; unique within the database. */
const SCHEMA_LOCK = 7_404_130;
const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC_ARRAY = 1231;
const TEXT_ARRAY: number = 1009;

export async function openHistory(settings: HistorySettings): Promise<History> {
  const { url, schema, folder, log } = settings;
  const history =
    url === undefined ? await openEmbedded(folder, log) : await openPostgres(url, schema);
  try {
    await migrate(history.db, log);
    return history;
  } catch (error) {
    await history.close();
    throw error;
  }
}

async function openEmbedded(folder: string, log: Logger): Promise<History> {
  const { db, close } = await openEmbeddedDatabase({ folder, log });
  return { db, engine: 'pglite', close };
}

async function openPostgres(url: string, schema: string | undefined): Promise<History> {
  const inSchema = schema === undefined ? {} : { options: `-c search_path=${schema}` };
  const types = { getTypeParser: typeParser };
  const pool = new pg.Pool({ connectionString: url, types, ...inSchema });
  // without listeners, a broken idle connection would terminate the process
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<HistoryTables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireSupportedVersion(db);
    if (schema !== undefined) await createSchema(db, schema);
  } catch (error) {
    await db.destroy();
    const reason = formatError(error);
    throw new CodedError('DATABASE_UNUSABLE', { database: withoutCredentials(url), reason }, error);
  }
  return { db, engine: 'postgres', close: () => db.destroy() };
}

/** Uses a lock, because concurrent `create schema if not exists` statements can fail. */
async function createSchema(db: Kysely<HistoryTables>, schema: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(transaction);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
  });
}

async function requireSupportedVersion(db: Kysely<HistoryTables>): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version_num') as version`.execute(db);
  const version = Number(rows[0]?.version);
  if (!(version >= MIN_SERVER_VERSION)) throw new Error(`its version is ${version}`);
}

/** By default `pg` parses numeric arrays as floats and int8 as strings. */
function typeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (type === INT8) return BigInt;
  if (type === NUMERIC_ARRAY) return parseTextArray;
  if (type === INT8_ARRAY)
    return (list) => parseTextArray(list).map((text) => text && BigInt(text));
  return pg.types.getTypeParser(type, format ?? 'text');
}

const parseTextArray: (list: string) => (string | null)[] = pg.types.getTypeParser(
  TEXT_ARRAY,
  'text',
);

/**
 * Host and name of the database. The query can contain a password too, and a password with characters that are not
 * escaped can reach into every part after the host.
 */
function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return 'in DATABASE_URL';
  const { protocol, host, pathname } = new URL(url);
  const isAmbiguous = url.lastIndexOf('@') > url.indexOf(host) + host.length;
  return isAmbiguous ? 'in DATABASE_URL' : `${protocol}//${host}${pathname}`;
}
