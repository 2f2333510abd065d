import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type QueryResult,
} from 'kysely';
import type { PgliteThread } from './pglite-thread.ts';

/** The embedded database behind the query builder, which takes it for PostgreSQL, as it is. */
export const pgliteDialect = (thread: PgliteThread): Dialect => ({
  createAdapter: () => new PgliteAdapter(),
  createDriver: () => new PgliteDriver(thread),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

class PgliteAdapter extends PostgresAdapter {}

/** Whether it takes rows as `CopiedText`. */
export const supportsCopy = (db: QueryExecutorProvider): boolean =>
  db.getExecutor().adapter instanceof PgliteAdapter;

/** The only parameter of a `copy … from '/dev/blob'`: lines with their fields. */
export class CopyData {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One connection for all: whoever has it, be it for a whole transaction, has it alone. */
class PgliteDriver implements Driver {
  readonly #thread: PgliteThread;
  readonly #connection: PgliteConnection;
  #isTaken = false;
  readonly #queue: (() => void)[] = [];

  constructor(thread: PgliteThread) {
    this.#thread = thread;
    this.#connection = new PgliteConnection(thread);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#isTaken = true;
    return this.#connection;
  }

  /** Handed straight to the next in the queue, so that nobody comes in between. */
  async releaseConnection(): Promise<void> {
    const next = this.#queue.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#thread.close();
  }
}

class PgliteConnection implements DatabaseConnection {
  readonly #thread: PgliteThread;

  constructor(thread: PgliteThread) {
    this.#thread = thread;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const [first] = parameters;
    const { rows, affected } = await this.#thread.run(
      first instanceof CopyData ? { sql, parameters: [], copied: first.text } : { sql, parameters },
    );
    return { rows: rows as Row[], numAffectedRows: BigInt(affected) };
  }

  /** Long answers are read in pieces by their keys, on both engines. */
  // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing calls it
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('the embedded database does not stream');
  }
}
