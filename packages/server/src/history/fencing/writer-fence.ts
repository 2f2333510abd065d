import { CodedError } from '@tidegate/core/base';
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
import type { HistoryTables } from '../schema/tables.ts';

/** The right of one process to write. */
export type WriterFence = {
  /** Higher than that of every earlier writer. */
  readonly epoch: number | undefined;
  /** Whether this process has proven within the last seconds that it is the writer. */
  isHeld(): boolean;
};

/** Not a part of the history: it stays when the history is deleted. */
export const WRITER_EPOCH_TABLE = 'writer_epoch';

/**
 * Begins a new epoch: from now on no transaction of an earlier writer commits. Waits for those that are running; the
 * server ends the session of a writer that does not go on. Call it with the writer's lock.
 */
export async function beginWriterEpoch(db: Kysely<HistoryTables>): Promise<number> {
  await sql`create table if not exists writer_epoch (
    only_row bool primary key default true check (only_row), epoch int8 not null)`.execute(db);
  const { rows } = await sql<{ epoch: bigint }>`insert into writer_epoch as stored (epoch)
    values (1) on conflict (only_row) do update set epoch = stored.epoch + 1
    returning epoch`.execute(db);
  return Number(rows[0]?.epoch);
}

/** The newest epoch; undefined before the first writer. */
export async function readWriterEpoch(db: Kysely<HistoryTables>): Promise<number | undefined> {
  const { rows: tables } = await sql`select to_regclass(${WRITER_EPOCH_TABLE}) as name
    where to_regclass(${WRITER_EPOCH_TABLE}) is not null`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<{ epoch: bigint }>`select epoch from writer_epoch`.execute(db);
  return rows[0] && Number(rows[0].epoch);
}

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
    const { rows } = await connection.executeQuery<{ epoch: bigint }>(
      CompiledQuery.raw('select epoch from writer_epoch for share'),
    );
    if (Number(rows[0]?.epoch) === this.#fence.epoch) return;
    await super.rollbackTransaction(connection);
    throw notWriter();
  }
}

const notWriter = (): CodedError => new CodedError('NOT_WRITER', {});
