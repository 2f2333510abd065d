import type { UnixSeconds } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type SeriesKind, seriesKinds, seriesTableName } from '../schema/series-tables.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** Minutes are kept in parts of this length, so that old ones are dropped and not deleted. */
const PART_SECONDS = 30n * 86_400n;

/** Any number that nothing else in the database takes. */
const LOCK = 7_404_129;

const minuteTables = seriesKinds.map((kind) => seriesTableName(kind, 'minute'));

/** Minutes of one kind, by the start of the time that they are of. */
export type Partition = { readonly table: string; readonly start: bigint };

/** The part that holds the minute. */
export const partitionFor = (kind: SeriesKind, at: UnixSeconds): Partition => ({
  table: seriesTableName(kind, 'minute'),
  start: startOf(at),
});

export const partitionName = ({ table, start }: Partition): string => `${table}_${start}`;

const startOf = (at: bigint): bigint => at - (at % PART_SECONDS);

/** Those that are there are left as they are. With TimescaleDB there is nothing to do: it makes its own. */
export async function createPartitions(
  db: Kysely<HistoryTables>,
  parts: readonly Partition[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const tables = await partedTables(transaction);
    const there = await partNames(transaction);
    for (const part of parts) {
      if (tables.includes(part.table) && !there.has(partitionName(part))) {
        await createPart(transaction, part);
      }
    }
  });
}

/** Made apart and then attached, which readers of the table need not wait for. */
async function createPart(
  transaction: Transaction<HistoryTables>,
  given: Partition,
): Promise<void> {
  const { table, start } = given;
  const part = sql.id(partitionName(given));
  const parent = sql.id(table);
  const [from, to] = [sql.raw(String(start)), sql.raw(String(start + PART_SECONDS))];
  await sql`create table ${part} (like ${parent} including all)`.execute(transaction);
  await sql`alter table ${parent} attach partition ${part} for values from (${from}) to (${to})`.execute(
    transaction,
  );
}

export type PartitionRetention = { readonly now: UnixSeconds; readonly keptSeconds: bigint };

/** Makes the parts of now and of the time after it, and drops the minutes that are too old as a whole. */
export async function maintainPartitions(
  db: Kysely<HistoryTables>,
  { now, keptSeconds }: PartitionRetention,
): Promise<void> {
  const starts = [startOf(now), startOf(now) + PART_SECONDS];
  const parts = minuteTables.flatMap((table) => starts.map((start) => ({ table, start })));
  await createPartitions(db, parts);
  const oldest = now - keptSeconds;
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const parted = await partedTables(transaction);
    for (const table of minuteTables) {
      if (parted.includes(table)) await dropParts(transaction, table, oldest);
      else
        await sql`select drop_chunks(${table}, older_than => ${oldest}::int8)`.execute(transaction);
    }
  });
}

async function dropParts(
  transaction: Transaction<HistoryTables>,
  table: string,
  oldest: bigint,
): Promise<void> {
  for (const name of await partNames(transaction)) {
    if (!name.startsWith(`${table}_`)) continue;
    const start = BigInt(name.slice(table.length + 1));
    if (start + PART_SECONDS <= oldest) {
      await sql`drop table ${sql.id(name)}`.execute(transaction);
    }
  }
}

/** Those that are in parts of our own making. */
async function partedTables(db: Kysely<HistoryTables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'p' and relnamespace = current_schema()::regnamespace`.execute(db);
  const parted = new Set(rows.map(({ name }) => name));
  return minuteTables.filter((table) => parted.has(table));
}

async function partNames(db: Kysely<HistoryTables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relispartition and relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    db,
  );
  return new Set(rows.map(({ name }) => name));
}
