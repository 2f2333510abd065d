import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PgliteRows } from './pglite-messages.ts';

type RunQuery = (query: CompiledQuery) => Promise<PgliteRows>;

/** A connection of the query builder to something that runs one statement of the embedded database at a time. */
export class StatementConnection implements DatabaseConnection {
  readonly #run: RunQuery;

  constructor(run: RunQuery) {
    this.#run = run;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affected } = await this.#run(query);
    return { rows: rows as Row[], numAffectedRows: BigInt(affected) };
  }

  /** Unused: long results are read page by page on both engines. */
  // biome-ignore lint/correctness/useYield: required by the interface, never called
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('the embedded database does not stream');
  }
}
