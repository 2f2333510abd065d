import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { CodedError, describeFailure } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { splitCredentials } from '../base/url-credentials.ts';
import { migrate } from './migrate.ts';
import { openEmbedded } from './open-embedded.ts';
import type { Tables } from './schema.ts';

export type HistorySettings = {
  /** Of a PostgreSQL; without one the embedded database is opened. */
  readonly url: string | undefined;
  /** Of the embedded database, which has one opener at a time. */
  readonly folder: string;
  readonly log: Logger;
};

/** The past, in the one or the other engine, with this release's tables. */
export type History = {
  readonly db: Kysely<Tables>;
  readonly engine: 'pglite' | 'postgres';
  close(): Promise<void>;
};

const OLDEST_VERSION = 140_000;
const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC_ARRAY = 1231;
const TEXT_ARRAY: number = 1009;

export async function openHistory({ url, folder, log }: HistorySettings): Promise<History> {
  const history = url === undefined ? await openFolder(folder, log) : await openServed(url);
  try {
    await migrate(history.db, log);
    return history;
  } catch (error) {
    await history.close();
    throw error;
  }
}

async function openFolder(folder: string, log: Logger): Promise<History> {
  const { db, close } = await openEmbedded({ folder, log });
  return { db, engine: 'pglite', close };
}

async function openServed(url: string): Promise<History> {
  const pool = new pg.Pool({ connectionString: url, types: { getTypeParser: typeParser } });
  // without listeners a connection that breaks while nobody waits for it would end the process
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await refuseOld(db);
  } catch (error) {
    await db.destroy();
    const reason = describeFailure(error);
    throw new CodedError('DATABASE_UNUSABLE', { database: withoutCredentials(url), reason }, error);
  }
  return { db, engine: 'postgres', close: () => db.destroy() };
}

async function refuseOld(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version_num') as version`.execute(db);
  const version = Number(rows[0]?.version);
  if (!(version >= OLDEST_VERSION)) throw new Error(`its version is ${version}`);
}

/** `pg` reads a list of numerics as floats, and an int8 as text. */
function typeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (type === INT8) return BigInt;
  if (type === NUMERIC_ARRAY) return readTexts;
  if (type === INT8_ARRAY) return (list) => readTexts(list).map((text) => text && BigInt(text));
  return pg.types.getTypeParser(type, format ?? 'text');
}

const readTexts: (list: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY, 'text');

function withoutCredentials(url: string): string {
  return URL.canParse(url) ? splitCredentials(new URL(url)).url.href : 'of DATABASE_URL';
}
