import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import { lockFolder } from '@tidegate/localnet/storage';
import { Kysely, sql } from 'kysely';
import { migrate } from '../migrations/migrate.ts';
import type { HistoryTables } from '../schema/tables.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import { saveTemplate, templatePath } from './pglite-template.ts';
import { type PgliteThread, startPgliteThread } from './pglite-thread.ts';

export type EmbeddedDatabaseSettings = {
  readonly folder: string;
  readonly log: Logger;
  /** Path of the template; it is created if missing. */
  readonly template?: string;
};

export type EmbeddedDatabase = {
  readonly db: Kysely<HistoryTables>;
  readonly thread: PgliteThread;
  close(): Promise<void>;
};

/** Fails if another process, or another caller in this process, has the folder open. */
export async function openEmbeddedDatabase(
  settings: EmbeddedDatabaseSettings,
): Promise<EmbeddedDatabase> {
  const { folder, log, template = templatePath() } = settings;
  const lock = lockFolder(folder, 'history.lock');
  try {
    const database = join(folder, 'database');
    if (!existsSync(database) && !existsSync(template)) {
      await createDatabase(database, log);
      saveTemplate(template, database);
    }
    const thread = await startPgliteThread({ database, template });
    const db = new Kysely<HistoryTables>({ dialect: pgliteDialect(thread) });
    const close = async () => {
      await db.destroy();
      lock.release();
    };
    return { db, thread, close };
  } catch (error) {
    lock.release();
    throw error;
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
  const db = new Kysely<HistoryTables>({ dialect: pgliteDialect(thread) });
  try {
    await migrate(db, log);
    await dropTemplates(db);
  } finally {
    await db.destroy();
  }
  renameSync(unfinished, database);
}
