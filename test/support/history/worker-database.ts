import { type KyselyPlugin, sql } from 'kysely';
import { type History, openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { temporaryFolderPath } from '../processes/run-folder.ts';

/** An embedded database that one test after another uses, because to open one takes most of a second. */
export type ReusedDatabase = {
  /** Opens it, with the rows that are in it. */
  open(): History;
  /** Ends its use: later queries fail, and the next test gets it without rows. */
  release(): void;
};

/** Databases of this test worker that no test uses. */
const idle: History[] = [];

/** A database without rows. The test files of a worker run one after another, so it needs as many as one test. */
export async function acquireDatabase(): Promise<ReusedDatabase> {
  const history = idle.pop() ?? (await openDatabase());
  await deleteRows(history.db);
  const uses: { isClosed: boolean }[] = [];
  return {
    open: () => {
      const use = { isClosed: false };
      uses.push(use);
      const { db, engine, health } = history;
      const close = async () => {
        use.isClosed = true;
      };
      return { db: db.withPlugin(rejectAfterClose(use)), engine, health, close };
    },
    release: () => {
      for (const use of uses) use.isClosed = true;
      idle.push(history);
    },
  };
}

let shared: Promise<ReusedDatabase> | undefined;

/** The database of this test worker that the tests of a file share, without rows. */
export async function emptyWorkerDatabase(): Promise<History> {
  (await shared)?.release();
  shared = acquireDatabase();
  return (await shared).open();
}

const openDatabase = (): Promise<History> =>
  openHistory({
    url: undefined,
    folder: temporaryFolderPath('worker-history-'),
    log: silentLog,
  });

/** What a test leaves running must not write into the database of the next one. */
const rejectAfterClose = (use: { readonly isClosed: boolean }): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (use.isClosed) throw new Error('the database is closed');
    return node;
  },
  transformResult: async ({ result }) => result,
});

/** Of the files that have any: to truncate all partitions takes half a second. */
async function deleteRows(db: History['db']): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname <> 'migration'
    and relnamespace = current_schema()::regnamespace and pg_relation_size(oid) > 0`.execute(db);
  if (rows.length === 0) return;
  const tables = sql.join(rows.map(({ name }) => sql.table(name)));
  await sql`truncate ${tables} restart identity cascade`.execute(db);
}
