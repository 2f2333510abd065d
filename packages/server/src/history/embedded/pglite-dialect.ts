import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
} from 'kysely';
import type { PgliteStatement } from './pglite-messages.ts';
import type { PgliteThread } from './pglite-thread.ts';
import { StatementConnection } from './statement-connection.ts';

export type PgliteEngine = {
  /** The thread that runs statements now. */
  readonly thread: PgliteThread;
  /** Throws before a transaction begins, if it could not be written. */
  requireSpace(): void;
  close(): Promise<void>;
};

/** Connects the query builder to the embedded database. It uses PostgreSQL's SQL dialect. */
export const pgliteDialect = (engine: PgliteEngine): Dialect => ({
  createAdapter: () => new PgliteAdapter(),
  createDriver: () => new PgliteDriver(engine),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

class PgliteAdapter extends PostgresAdapter {}

/** Whether the database accepts rows as `CopyData`. */
export const supportsCopy = (db: QueryExecutorProvider): boolean =>
  db.getExecutor().adapter instanceof PgliteAdapter;

/** The only parameter of a `copy … from '/dev/blob'`: rows in the text format of `COPY`. */
export class CopyData {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const encoder = new TextEncoder();

/** All queries share one connection. A transaction holds it exclusively. */
class PgliteDriver implements Driver {
  readonly #engine: PgliteEngine;
  #isAcquired = false;
  readonly #queue: (() => void)[] = [];

  constructor(engine: PgliteEngine) {
    this.#engine = engine;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isAcquired) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#isAcquired = true;
    // bound to the thread, so that no transaction continues in another one
    const { thread } = this.#engine;
    return new StatementConnection((query) => thread.run(toStatement(query)));
  }

  /** Hands the connection directly to the next waiter, so that no other caller can acquire it first. */
  async releaseConnection(): Promise<void> {
    const next = this.#queue.shift();
    if (next === undefined) this.#isAcquired = false;
    else next();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#engine.requireSpace();
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#engine.close();
  }
}

/** Rows of a copy are the data of its statement. */
function toStatement({ sql, parameters }: CompiledQuery): PgliteStatement {
  const [first] = parameters;
  return first instanceof CopyData
    ? { sql, parameters: [], copyData: encoder.encode(first.text).buffer }
    : { sql, parameters };
}
