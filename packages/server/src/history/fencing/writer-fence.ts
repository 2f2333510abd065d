import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
  type TransactionSettings,
} from 'kysely';
import { CodedError } from '../../errors.ts';
import type { HistoryTables } from '../schema/tables.ts';

/**
 * The number of an epoch, with the table and the transaction that wrote it: restored from a dump, the same number has
 * another name, so that nobody writes on as if what the dump lacks were stored.
 */
export type WriterEpoch = string;

/** The right of one process to write. */
export type WriterFence = {
  /** That which it began; its number is higher than that of every earlier writer. */
  readonly epoch: WriterEpoch | undefined;
  /** Whether this process has proven within the last seconds that it is the writer. */
  isHeld(): boolean;
};

/** Not a part of the history: it stays when the history is deleted. */
export const WRITER_EPOCH_TABLE = 'writer_epoch';

/**
 * Begins a new epoch: from now on no transaction of an earlier writer commits. Waits for those that are running; the
 * server ends the session of a writer that does not go on. Call it with the writer's lock. An epoch is at least the time in
 * milliseconds, so that a restored database does not give one again that a writer had after the backup.
 */
export async function beginWriterEpoch(db: Kysely<HistoryTables>): Promise<WriterEpoch> {
  await sql`create table if not exists writer_epoch (
    only_row bool primary key default true check (only_row), epoch int8 not null)`.execute(db);
  await sql`insert into writer_epoch as stored (epoch)
    values (floor(extract(epoch from clock_timestamp()) * 1000)::int8)
    on conflict (only_row) do update set epoch = greatest(stored.epoch + 1, excluded.epoch)`.execute(
    db,
  );
  const epoch = await readWriterEpoch(db);
  if (epoch === undefined) throw notWriter();
  return epoch;
}

/** The newest epoch; undefined before the first writer. */
export async function readWriterEpoch(db: Kysely<HistoryTables>): Promise<WriterEpoch | undefined> {
  const { rows: tables } = await sql`select to_regclass(${WRITER_EPOCH_TABLE}) as name
    where to_regclass(${WRITER_EPOCH_TABLE}) is not null`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<EpochRow>`${sql.raw(selectEpoch(WRITER_EPOCH_TABLE))}`.execute(db);
  return rows[0]?.name;
}

type EpochRow = { readonly name: WriterEpoch };

/** A query of the newest epoch. `table` may have a schema. */
export const selectEpoch = (table: string): string =>
  `select concat_ws('/', epoch, tableoid, xmin) as name from ${table}`;

/**
 * PostgreSQL for a writer that can be replaced: transactions begin only while its epoch is the newest one. Reads, and ids
 * of addresses and configurations, need no transaction.
 */
export class FencedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #fence: WriterFence;

  constructor(config: PostgresDialectConfig, fence: WriterFence) {
    super(config);
    this.#config = config;
    this.#fence = fence;
  }

  override createDriver(): FencedPostgresDriver {
    return new FencedPostgresDriver(this.#config, this.#fence);
  }
}

class FencedPostgresDriver extends PostgresDriver {
  readonly #fence: WriterFence;

  constructor(config: PostgresDialectConfig, fence: WriterFence) {
    super(config);
    this.#fence = fence;
  }

  /** Reads the epoch with a lock, so that the next writer cannot begin before this transaction ends. */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (!this.#fence.isHeld()) throw notWriter();
    await super.beginTransaction(connection, settings);
    const { rows } = await connection.executeQuery<EpochRow>(
      CompiledQuery.raw(`${selectEpoch(WRITER_EPOCH_TABLE)} for share`),
    );
    if (rows[0]?.name === this.#fence.epoch) return;
    await super.rollbackTransaction(connection);
    throw notWriter();
  }
}

const notWriter = (): CodedError => new CodedError('NOT_WRITER', {});
