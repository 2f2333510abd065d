import type { Logger } from '@tidegate/core/base';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { DatabaseHealth } from '../health/database-health.ts';
import { monitorDialect } from '../health/monitored-dialect.ts';
import { type OnQuery, observedQueries } from '../observed-queries.ts';
import type { History } from '../open-history.ts';
import type { HistoryTables } from '../schema/tables.ts';
import type { PgliteRows, PgliteStatement } from './pglite-messages.ts';
import { StatementConnection } from './statement-connection.ts';

type RunStatement = (statement: Pick<PgliteStatement, 'sql' | 'parameters'>) => Promise<PgliteRows>;

type RemoteHistoryOptions = {
  /** Runs a statement in the process that has the database open. */
  readonly run: RunStatement;
  readonly log: Logger;
  readonly onQuery?: OnQuery | undefined;
};

/** Runs a statement of another process. */
export async function runStatement(
  { db }: History,
  { sql, parameters }: Pick<PgliteStatement, 'sql' | 'parameters'>,
): Promise<PgliteRows> {
  const { rows, numAffectedRows } = await db.executeQuery<PgliteRows['rows'][number]>(
    CompiledQuery.raw(sql, [...parameters]),
  );
  return { rows, affected: Number(numAffectedRows ?? 0n) };
}

/** An embedded database that another process has open, for reads: there are no transactions. */
export function openRemoteHistory({ run, log, onQuery }: RemoteHistoryOptions): History {
  const health = new DatabaseHealth({
    database: 'of the primary process',
    repair: 'See the log of the primary process.',
    probe: async () => void (await run({ sql: 'select 1', parameters: [] })),
    log,
  });
  const dialect = monitorDialect(remoteDialect(run), health);
  const db = new Kysely<HistoryTables>({ dialect, ...observedQueries(onQuery) });
  return { db, engine: 'pglite', health, close: () => db.destroy() };
}

const remoteDialect = (run: RunStatement): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new RemoteDriver(run),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

const noTransactions = async (): Promise<never> => {
  throw new Error('a process that only reads has no transactions');
};

class RemoteDriver implements Driver {
  readonly #connection: DatabaseConnection;
  readonly beginTransaction = noTransactions;
  readonly commitTransaction = noTransactions;
  readonly rollbackTransaction = noTransactions;

  constructor(run: RunStatement) {
    this.#connection = new StatementConnection(({ sql, parameters }) => run({ sql, parameters }));
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
