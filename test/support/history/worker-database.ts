import { sql } from 'kysely';
import { type History, openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { temporaryFolderPath } from '../processes/run-folder.ts';

let opened: Promise<History> | undefined;

/**
 * The embedded database of this test worker, without rows. It opens once, because that takes a
 * second; the test files of a worker run one after another.
 */
export async function emptyWorkerDatabase(): Promise<History> {
  opened ??= openHistory({
    url: undefined,
    folder: temporaryFolderPath('worker-history-'),
    log: silentLog,
  });
  const { db, engine, health } = await opened;
  await deleteRows(db);
  return { db, engine, health, close: async () => undefined };
}

/** Of the files that have any: to truncate all partitions takes half a second. */
async function deleteRows(db: History['db']): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname <> 'migration'
    and relnamespace = current_schema()::regnamespace and pg_relation_size(oid) > 0`.execute(db);
  if (rows.length === 0) return;
  await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(db);
}
