import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatError, type Logger } from '@tidegate/core/base';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { CodedError, hasCode } from '../errors.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded/open-embedded-database.ts';
import { SESSION_MS } from './fencing/writer-election.ts';
import { FencedPostgresDialect, type WriterFence } from './fencing/writer-fence.ts';
import { WriterRole } from './fencing/writer-role.ts';
import { DatabaseHealth } from './health/database-health.ts';
import { isServerAway } from './health/database-problem.ts';
import { monitorDialect } from './health/monitored-dialect.ts';
import { migrate } from './migrations/migrate.ts';
import { type OnQuery, observedQueries } from './observed-queries.ts';
import {
  type ConnectionPool,
  connectionConfig,
  PostgresPool,
  withConnection,
} from './postgres/postgres-pool.ts';
import type { HistoryTables } from './schema/tables.ts';

export type HistorySettings = {
  /** A PostgreSQL URL. If undefined, the embedded database is opened. */
  readonly url: string | undefined;
  /** PostgreSQL schema, created if missing; the default schema if omitted. Each cluster has its own. */
  readonly schema?: string;
  /** Folder of the embedded database, which only one process can open at a time. */
  readonly folder: string;
  /** The right to write of a process that can be replaced; PostgreSQL only. */
  readonly fence?: WriterFence;
  /**
   * For a server that shares a PostgreSQL database with others: only one of them writes, see `role`. If the database does
   * not respond, it is opened as soon as it does; until then every query fails.
   */
  readonly isShared?: boolean;
  readonly log: Logger;
  /** Whether a damaged embedded database is replaced by an empty one. */
  readonly isFresh?: boolean;
  /** What to do if the embedded database is damaged, as a sentence. */
  readonly repair?: string;
  readonly onQuery?: OnQuery | undefined;
};

/** An open history database with this release's schema. */
export type History = {
  readonly db: Kysely<HistoryTables>;
  readonly engine: 'pglite' | 'postgres';
  /** Whether it works. */
  readonly health: DatabaseHealth;
  /** Whether this process writes; undefined if it is the only one. */
  readonly role?: WriterRole | undefined;
  /** Connections; undefined for the embedded database. */
  readonly pool?: () => ConnectionPool;
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
  const { url } = settings;
  if (url !== undefined) return await openPostgres({ ...settings, url });
  const history = await openEmbedded(settings);
  try {
    await migrate(history.db, settings.log);
    return history;
  } catch (error) {
    await history.close();
    throw causeOf(error);
  }
}

async function openEmbedded(settings: HistorySettings): Promise<History> {
  const { folder, log, repair, onQuery } = settings;
  const database = join(folder, 'database');
  const advice = repair ?? `Restore a backup of ${database}, or delete it.`;
  const probe = async () => embedded?.probe();
  const health = new DatabaseHealth({ database, repair: advice, probe, log });
  let embedded: EmbeddedDatabase | undefined;
  const wrapDialect = (dialect: Dialect) => monitorDialect(dialect, health);
  const open = () => openEmbeddedDatabase({ folder, log, repair: advice, wrapDialect, onQuery });
  try {
    embedded = await open();
  } catch (error) {
    if (!settings.isFresh || !hasCode(error, 'DATABASE_DAMAGED')) throw error;
    rmSync(database, { recursive: true, force: true });
    embedded = await open();
  }
  const { db, close } = embedded;
  return { db, engine: 'pglite', health, close };
}

type PostgresSettings = Omit<HistorySettings, 'folder'> & { readonly url: string };

/** A database for reads only, such as a replica. Opens at once: while the server is away, every query fails. */
export function openReadOnlyHistory(settings: PostgresSettings): History {
  const { history, limitStatements } = connectPostgres(settings, [
    '-c default_transaction_read_only=on',
  ]);
  limitStatements();
  return history;
}

async function openPostgres(settings: PostgresSettings): Promise<History> {
  const { url, fence, isShared = false } = settings;
  const options = isShared ? TRANSACTION_TIMEOUT : fence === undefined ? [] : SESSION_TIMEOUTS;
  const { history, prepare } = connectPostgres(settings, options);
  let isAway = false;
  try {
    await prepare();
  } catch (error) {
    isAway = isShared && isServerAway(error);
    if (isAway) {
      history.health.setAway(error);
    } else {
      await history.close();
      if (error instanceof CodedError) throw error;
      const context = { database: withoutCredentials(url), reason: formatError(error) };
      throw new CodedError('DATABASE_UNUSABLE', context, error);
    }
  }
  history.role?.start({ isAway });
  return history;
}

/** The server ends the sessions of a fenced writer that is frozen, and with them its transactions. */
const TRANSACTION_TIMEOUT = [`-c idle_in_transaction_session_timeout=${SESSION_MS}`];
const SESSION_TIMEOUTS = [...TRANSACTION_TIMEOUT, `-c idle_session_timeout=${SESSION_MS}`];

/** How often a process from whose history nobody reads finds out whether the database responds. */
const IDLE_CHECK_MS = 10_000;

/** A failure is noticed as that of any statement. Returns what ends it. */
function checkWhileIdle(db: Kysely<HistoryTables>, health: DatabaseHealth): () => void {
  let isChecking = false;
  const check = async (): Promise<void> => {
    // during an outage it is probed anyway
    if (isChecking || !health.status().isReadable) return;
    isChecking = true;
    await sql`select 1`.execute(db).catch(() => undefined);
    isChecking = false;
  };
  const timer = setInterval(() => void check(), IDLE_CHECK_MS).unref();
  return () => clearInterval(timer);
}

function connectPostgres(settings: PostgresSettings, options: readonly string[]) {
  const { url, schema, log, onQuery } = settings;
  const config = {
    ...connectionConfig({ url, schema, options, getTypeParser: typeParser }),
    ...(settings.fence && { idleTimeoutMillis: SESSION_MS / 2 }),
  };
  const name = withoutCredentials(url);
  const pool = new PostgresPool(config, () => void health.verify());
  const limitStatements = () => pool.limitStatements();
  const unmonitored = new Kysely<HistoryTables>({ dialect: new PostgresDialect({ pool }) });
  const preparation = new Preparation(async () => {
    await prepareSchema(unmonitored, settings);
    limitStatements();
  });
  const health = new DatabaseHealth({
    database: name,
    repair: 'Repair it or restore a backup, then restart this server.',
    probe: async () => {
      await withConnection(config, (client) => client.query('select 1'));
      if (settings.isShared) await preparation.run();
    },
    onAway: () => pool.abort(),
    log,
  });
  const election = { url, name, schema: schema ?? 'public', isOpen: preparation.done };
  const role = settings.isShared
    ? new WriterRole({ ...election, db: unmonitored, health, log })
    : undefined;
  const fence = role ?? settings.fence;
  const dialect = fence && new FencedPostgresDialect({ pool }, fence);
  const db = new Kysely<HistoryTables>({
    dialect: monitorDialect(dialect ?? new PostgresDialect({ pool }), health),
    ...observedQueries(onQuery),
  });
  const endCheck = checkWhileIdle(db, health);
  const close = async () => {
    endCheck();
    await role?.close();
    health.close();
    await db.destroy();
    await unmonitored.destroy();
  };
  const history: History = {
    ...{ db, engine: 'postgres', health, role },
    pool: () => pool.count(),
    close,
  };
  return { history, prepare: () => preparation.run(), limitStatements };
}

/** Work that must succeed once. */
class Preparation {
  readonly #work: () => Promise<void>;
  readonly done: Promise<void>;
  #onDone: () => void = () => undefined;
  #isDone = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
    this.done = new Promise((resolve) => {
      this.#onDone = resolve;
    });
  }

  async run(): Promise<void> {
    if (this.#isDone) return;
    await this.#work();
    this.#isDone = true;
    this.#onDone();
  }
}

/** Creates or migrates the tables. */
async function prepareSchema(
  db: Kysely<HistoryTables>,
  { schema, fence, log }: PostgresSettings,
): Promise<void> {
  await requireSupportedVersion(db);
  if (schema !== undefined && fence === undefined) await createSchema(db, schema);
  await migrate(db, log);
}

/** While a database is opened, its own error says more than HISTORY_UNAVAILABLE. */
const causeOf = (error: unknown): unknown =>
  hasCode(error, 'HISTORY_UNAVAILABLE') && error.cause !== undefined ? error.cause : error;

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
export function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return 'in DATABASE_URL';
  const { protocol, host, pathname } = new URL(url);
  const isAmbiguous = url.lastIndexOf('@') > url.indexOf(host) + host.length;
  return isAmbiguous ? 'in DATABASE_URL' : `${protocol}//${host}${pathname}`;
}
