import type { UnixSeconds } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type SeriesKind, seriesKinds, seriesTableName } from '../schema/series-tables.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** Minute tables are partitioned, so that old rows are dropped instead of deleted. */
const PARTITION_SECONDS = 30n * 86_400n;

/** Advisory lock key; unique within the database. */
const LOCK = 7_404_129;

const minuteTables = seriesKinds.map((kind) => seriesTableName(kind, 'minute'));

/** A partition of a minute table. `start` is the first second that it covers. */
export type Partition = { readonly table: string; readonly start: bigint };

/** The partition that contains a time. */
export const partitionFor = (kind: SeriesKind, at: UnixSeconds): Partition => ({
  table: seriesTableName(kind, 'minute'),
  start: partitionStart(at),
});

export const partitionName = ({ table, start }: Partition): string => `${table}_${start}`;

const partitionStart = (at: bigint): bigint => at - (at % PARTITION_SECONDS);

/** Creates missing partitions. Does nothing with TimescaleDB, which creates its own. */
export async function createPartitions(
  db: Kysely<HistoryTables>,
  partitions: readonly Partition[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const tables = await partitionedTables(transaction);
    const existing = await partitionNames(transaction);
    for (const partition of partitions) {
      if (tables.includes(partition.table) && !existing.has(partitionName(partition))) {
        await createPartition(transaction, partition);
      }
    }
  });
}

/** Creates a separate table and attaches it, which does not block readers. */
async function createPartition(
  transaction: Transaction<HistoryTables>,
  given: Partition,
): Promise<void> {
  const { table, start } = given;
  const partition = sql.id(partitionName(given));
  const parent = sql.id(table);
  const [from, to] = [sql.raw(String(start)), sql.raw(String(start + PARTITION_SECONDS))];
  await sql`create table ${partition} (like ${parent} including all)`.execute(transaction);
  await sql`alter table ${parent} attach partition ${partition} for values from (${from}) to (${to})`.execute(
    transaction,
  );
}

export type PartitionRetention = { readonly now: UnixSeconds; readonly retentionSeconds: bigint };

/** Creates the current and the next partition, and drops partitions past the retention time. */
export async function maintainPartitions(
  db: Kysely<HistoryTables>,
  { now, retentionSeconds }: PartitionRetention,
): Promise<void> {
  const starts = [partitionStart(now), partitionStart(now) + PARTITION_SECONDS];
  const partitions = minuteTables.flatMap((table) => starts.map((start) => ({ table, start })));
  await createPartitions(db, partitions);
  const oldest = now - retentionSeconds;
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const partitioned = await partitionedTables(transaction);
    for (const table of minuteTables) {
      if (partitioned.includes(table)) await dropOldPartitions(transaction, table, oldest);
      else
        await sql`select drop_chunks(${table}, older_than => ${oldest}::int8)`.execute(transaction);
    }
  });
}

async function dropOldPartitions(
  transaction: Transaction<HistoryTables>,
  table: string,
  oldest: bigint,
): Promise<void> {
  for (const name of await partitionNames(transaction)) {
    if (!name.startsWith(`${table}_`)) continue;
    const start = BigInt(name.slice(table.length + 1));
    if (start + PARTITION_SECONDS <= oldest) {
      await sql`drop table ${sql.id(name)}`.execute(transaction);
    }
  }
}

/** Minute tables with native partitions, as opposed to hypertables. */
async function partitionedTables(db: Kysely<HistoryTables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'p' and relnamespace = current_schema()::regnamespace`.execute(db);
  const partitioned = new Set(rows.map(({ name }) => name));
  return minuteTables.filter((table) => partitioned.has(table));
}

async function partitionNames(db: Kysely<HistoryTables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relispartition and relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    db,
  );
  return new Set(rows.map(({ name }) => name));
}
