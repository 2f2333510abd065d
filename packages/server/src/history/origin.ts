import { type Kysely, sql } from 'kysely';
import { snakeCase } from './schema/columns.ts';
import { eventColumns, stateColumns } from './schema/event-tables.ts';
import { resolutions, seriesKinds, seriesTableName } from './schema/series-tables.ts';
import type { HistoryTables } from './schema/tables.ts';

/** What the database says of where its history is from; undefined where nothing was said. */
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

/** Forgets what can be made again from steps and transactions that were kept, which begin after that slot. */
export async function deleteDerivedRows(db: Kysely<HistoryTables>, after: bigint): Promise<void> {
  for (const kind of seriesKinds) {
    for (const resolution of resolutions) {
      // what was imported has no slot
      const table = sql.table(seriesTableName(kind, resolution));
      await sql`delete from ${table} where slot > ${after}::int8`.execute(db);
    }
  }
  const others = Object.keys({ ...eventColumns, ...stateColumns }).map(snakeCase);
  if (after === 0n) await sql`truncate ${sql.raw(others.join(', '))}`.execute(db);
  else for (const name of others) await deleteAfter(db, name, after);
}

async function deleteAfter(db: Kysely<HistoryTables>, name: string, slot: bigint): Promise<void> {
  await sql`delete from ${sql.table(name)} where slot > ${slot}::int8`.execute(db);
}

/** Forgets everything: what is left is a database as a migration makes it. */
export async function clearHistory(db: Kysely<HistoryTables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace and relname <> 'migration'`.execute(db);
  await sql`truncate ${sql.raw(rows.map(({ name }) => name).join(', '))}`.execute(db);
}
