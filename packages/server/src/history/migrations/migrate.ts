import type { Logger } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { CodedError } from '../../errors.ts';
import type { HistoryTables } from '../schema/tables.ts';
import { allMigrations } from './all-migrations.ts';
import type { Migration } from './migration.ts';

/** Advisory lock key; unique within the database. */
const LOCK = 7_404_128;

/** Migrates the database to this release's schema. Concurrent callers wait. */
export async function migrate(
  db: Kysely<HistoryTables>,
  log: Logger,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  let migration: string | undefined;
  do {
    migration = await db.transaction().execute((transaction) => runNext(transaction, migrations));
    if (migration !== undefined) log.info({ migration }, 'migrated the database');
  } while (migration !== undefined);
}

/** Runs one migration per transaction. The lock is released with the transaction. */
async function runNext(
  transaction: Transaction<HistoryTables>,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
  await sql`create table if not exists migration (position int4 primary key, name text not null)`.execute(
    transaction,
  );
  const ran = await transaction.selectFrom('migration').selectAll().orderBy('position').execute();
  const unknown = ran.find(({ name, position }) => migrations[position]?.name !== name);
  if (unknown !== undefined) throw new CodedError('DATABASE_TOO_NEW', { migration: unknown.name });

  const next = migrations[ran.length];
  if (next === undefined) return undefined;
  const features = { hasTimescale: await hasTimescale(transaction) };
  for (const statement of next.statements(features)) await sql.raw(statement).execute(transaction);
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
