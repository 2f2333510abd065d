import { CodedError, type Logger } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';
import { allMigrations } from './all-migrations.ts';
import type { Migration } from './migration.ts';

/** Any number that nothing else in the database takes. */
const LOCK = 7_404_128;

/** Brings the database to this release's tables. Whoever comes at the same time waits and finds it done. */
export async function migrate(
  db: Kysely<HistoryTables>,
  log: Logger,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  let ran: string | undefined;
  do {
    ran = await db.transaction().execute((transaction) => runNext(transaction, migrations));
    if (ran !== undefined) log.info({ migration: ran }, 'the database was migrated');
  } while (ran !== undefined);
}

/** One per transaction; the lock is let go with it. */
async function runNext(
  transaction: Transaction<HistoryTables>,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
  await sql`create table if not exists migration (position int4 primary key, name text not null)`.execute(
    transaction,
  );
  const ran = await transaction.selectFrom('migration').selectAll().orderBy('position').execute();
  const strange = ran.find(({ name, position }) => migrations[position]?.name !== name);
  if (strange !== undefined) throw new CodedError('DATABASE_TOO_NEW', { migration: strange.name });

  const next = migrations[ran.length];
  if (next === undefined) return undefined;
  const facts = { hasTimescale: await hasTimescale(transaction) };
  for (const statement of next.statements(facts)) await sql.raw(statement).execute(transaction);
  await transaction
    .insertInto('migration')
    .values({ position: ran.length, name: next.name })
    .execute();
  return next.name;
}

async function hasTimescale(transaction: Transaction<HistoryTables>): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'timescaledb'`.execute(
    transaction,
  );
  return rows.length > 0;
}
