import { type Kysely, sql } from 'kysely';
import { WRITER_EPOCH_TABLE } from './fencing/writer-fence.ts';
import { snakeCase } from './schema/columns.ts';
import { eventColumns, stateColumns } from './schema/event-tables.ts';
import { resolutions, seriesKinds, seriesTableName } from './schema/series-tables.ts';
import type { HistoryTables } from './schema/tables.ts';
import { RECORDING_ORDER_TABLE } from './writing/recording-order.ts';

/** A property of the cluster that the history belongs to; undefined if it was not written. */
export async function readOrigin(
  db: Kysely<HistoryTables>,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('origin')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

export async function writeOrigin(
  db: Kysely<HistoryTables>,
  name: string,
  value: string,
): Promise<void> {
  await db
    .insertInto('origin')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Deletes the rows after a slot that can be derived again from raw steps and transactions. */
export async function deleteDerivedRows(db: Kysely<HistoryTables>, after: bigint): Promise<void> {
  for (const kind of seriesKinds) {
    for (const resolution of resolutions) {
      // imported rows have slot 0
      const table = sql.table(seriesTableName(kind, resolution));
      await sql`delete from ${table} where slot > ${after}::int8`.execute(db);
    }
  }
  const tables = Object.keys({ ...eventColumns, ...stateColumns }).map(snakeCase);
  if (after === 0n) await sql`truncate ${sql.raw(tables.join(', '))}`.execute(db);
  else for (const name of tables) await deleteAfter(db, name, after);
}

async function deleteAfter(db: Kysely<HistoryTables>, name: string, slot: bigint): Promise<void> {
  await sql`delete from ${sql.table(name)} where slot > ${slot}::int8`.execute(db);
}

/** Deletes all rows. The result equals a newly migrated database, except for the numbers that were used. */
export async function clearHistory(db: Kysely<HistoryTables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace
      and relname not in ('migration', ${WRITER_EPOCH_TABLE}, ${RECORDING_ORDER_TABLE})`.execute(
    db,
  );
  await sql`truncate ${sql.raw(rows.map(({ name }) => name).join(', '))}`.execute(db);
}
