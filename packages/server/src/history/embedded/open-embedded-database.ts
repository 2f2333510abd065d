import { existsSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { formatError, type Logger } from '@tidegate/core/base';
import { lockFolder } from '@tidegate/localnet/storage';
import { type Dialect, Kysely, sql } from 'kysely';
import { CodedError, hasCode } from '../../errors.ts';
import { migrate } from '../migrations/migrate.ts';
import { type OnQuery, observedQueries } from '../observed-queries.ts';
import type { HistoryTables } from '../schema/tables.ts';
import { findDamagedFile, forgetFileSizes, saveFileSizes } from './file-sizes.ts';
import { type PgliteEngine, pgliteDialect } from './pglite-dialect.ts';
import { saveTemplate, templatePath } from './pglite-template.ts';
import { type PgliteThread, startPgliteThread } from './pglite-thread.ts';

export type EmbeddedDatabaseSettings = {
  readonly folder: string;
  readonly log: Logger;
  /** Path of the template; it is created if missing. */
  readonly template?: string;
  /** What to do if the database is damaged, as a sentence. */
  readonly repair?: string;
  /** Changes the dialect of the query builder. */
  readonly wrapDialect?: (dialect: Dialect) => Dialect;
  readonly onQuery?: OnQuery | undefined;
};

export type EmbeddedDatabase = {
  readonly db: Kysely<HistoryTables>;
  /** The first thread. */
  readonly thread: PgliteThread;
  /** Resolves if the engine responds. Starts it again if it has stopped. */
  probe(): Promise<void>;
  close(): Promise<void>;
};

/** Fails if another process, or another caller in this process, has the folder open. */
export async function openEmbeddedDatabase(
  settings: EmbeddedDatabaseSettings,
): Promise<EmbeddedDatabase> {
  const { folder, log, template = templatePath(), onQuery } = settings;
  const { wrapDialect = (given) => given } = settings;
  const lock = lockFolder(folder, 'history.lock');
  try {
    const database = join(folder, 'database');
    if (!existsSync(database) && !existsSync(template)) {
      await createDatabase(database, log);
      saveTemplate(template, database);
    }
    const engine = new EmbeddedEngine({ ...settings, database, template });
    await engine.start();
    const { thread } = engine;
    const db = new Kysely<HistoryTables>({
      dialect: wrapDialect(pgliteDialect(engine)),
      ...observedQueries(onQuery),
    });
    const close = async () => {
      await db.destroy();
      lock.release();
    };
    return { db, thread, probe: () => engine.probe(), close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Free space that a transaction needs: the engine does not survive a full disk under its write-ahead log. */
const MIN_FREE_BYTES = 48 * 2 ** 20;

type EngineSettings = Pick<EmbeddedDatabaseSettings, 'folder' | 'log' | 'repair'> & {
  readonly database: string;
  readonly template: string | undefined;
};

/** The thread of a database folder, and its successors after it has failed. */
class EmbeddedEngine implements PgliteEngine {
  readonly #settings: EngineSettings;
  #thread: PgliteThread | undefined;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  get thread(): PgliteThread {
    if (this.#thread === undefined) throw new CodedError('INTERNAL', {});
    return this.#thread;
  }

  async start(): Promise<void> {
    const { database, template } = this.#settings;
    const damage = existsSync(database) ? findDamagedFile(database) : undefined;
    if (damage !== undefined) throw this.#damaged(damage);
    try {
      this.#thread = await startPgliteThread({ database, template });
    } catch (error) {
      this.requireSpace();
      throw hasCode(error, 'DATABASE_STOPPED')
        ? this.#damaged(`it does not start (${error.context.reason})`)
        : error;
    }
    forgetFileSizes(database);
  }

  async probe(): Promise<void> {
    const { thread } = this;
    if (!thread.isStopped) {
      await thread.run({ sql: 'select 1', parameters: [] });
      return;
    }
    await thread.kill();
    await this.start();
    const { log, folder } = this.#settings;
    log.warn({ database: folder, reason: thread.stopReason }, 'restarted the embedded database');
  }

  requireSpace(): void {
    const { folder } = this.#settings;
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= MIN_FREE_BYTES) return;
    const error = new Error(`${folder} has less than ${MIN_FREE_BYTES / 2 ** 20} MB of free space`);
    throw Object.assign(error, { code: 'ENOSPC', path: folder });
  }

  async close(): Promise<void> {
    if (!(await this.thread.close())) return;
    try {
      saveFileSizes(this.#settings.database);
    } catch (error) {
      this.#settings.log.debug({ reason: formatError(error) }, 'file sizes were not saved');
      forgetFileSizes(this.#settings.database);
    }
  }

  #damaged(reason: string): CodedError {
    const { database, repair = `Restore a backup of ${database}, or delete it.` } = this.#settings;
    return new CodedError('DATABASE_DAMAGED', { database, reason, repair });
  }
}

/** No other database is ever created here: without these two, a new folder has less than half of the files. */
async function dropTemplates(db: Kysely<HistoryTables>): Promise<void> {
  await sql`UPDATE pg_database SET datistemplate = false`.execute(db);
  await sql`DROP DATABASE template0`.execute(db);
  await sql`DROP DATABASE template1`.execute(db);
}

/** Takes some seconds. Renames the folder at the end, so that `database` is never incomplete. */
async function createDatabase(database: string, log: Logger): Promise<void> {
  log.info(
    { database },
    'creating the embedded database without a template, which takes some seconds',
  );
  const unfinished = `${database}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const thread = await startPgliteThread({ database: unfinished, template: undefined });
  const engine = {
    thread,
    requireSpace: () => undefined,
    close: async () => void (await thread.close()),
  };
  const db = new Kysely<HistoryTables>({ dialect: pgliteDialect(engine) });
  try {
    await migrate(db, log);
    await dropTemplates(db);
  } finally {
    await db.destroy();
  }
  renameSync(unfinished, database);
}
