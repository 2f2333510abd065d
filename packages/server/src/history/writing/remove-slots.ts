import type { Slot } from '@tidegate/core/base';
import { sql, type Transaction } from 'kysely';
import {
  POSITIONS_CHECKED_CHECKPOINT,
  SAMPLER_CHECKPOINT,
  SAMPLES_SINCE_CHECKPOINT,
} from '../checkpoint-names.ts';
import { columnName } from '../schema/columns.ts';
import {
  bucketSeconds,
  type Resolution,
  type SeriesKind,
  seriesColumns,
  seriesKeyColumns,
  seriesKinds,
  seriesTableName,
} from '../schema/series-tables.ts';
import type { HistoryTables } from '../schema/tables.ts';

type Database = Transaction<HistoryTables>;

const TABLES_BY_SLOT = ['obligation_state', 'vault_holding', 'farm_stake', 'raw_step'];

/**
 * Deletes what was recorded of the accounts of later slots: states of positions, samples and raw steps. An hour or day
 * whose last sample is deleted gets the sample before that.
 */
export async function removeSlotsAfter(transaction: Database, slot: Slot): Promise<void> {
  for (const table of TABLES_BY_SLOT) {
    await sql`delete from ${sql.table(table)} where slot > ${slot}::int8`.execute(transaction);
  }
  for (const kind of seriesKinds) await removeSamples(transaction, kind, slot);
  await moveSamplerBack(transaction, slot);
  // the states that replace the deleted ones are compared again
  await sql`update checkpoint set slot = ${slot}::int8
    where name = ${POSITIONS_CHECKED_CHECKPOINT} and slot > ${slot}::int8`.execute(transaction);
  await sql`update position_gap set slot = ${slot}::int8 where slot > ${slot}::int8`.execute(
    transaction,
  );
}

/** A sample is also that of its hour and day, so that those tell which minutes have to be searched. */
async function removeSamples(transaction: Database, kind: SeriesKind, slot: Slot): Promise<void> {
  const remove = async (resolution: Resolution, since: bigint): Promise<bigint | undefined> => {
    const table = sql.table(seriesTableName(kind, resolution));
    const { rows } = await sql<{ bucket: bigint | null }>`with removed as (
        delete from ${table} where bucket >= ${since}::int8 and slot > ${slot}::int8
        returning bucket)
      select min(bucket) as bucket from removed`.execute(transaction);
    return rows[0]?.bucket ?? undefined;
  };
  const day = await remove('day', 0n);
  if (day === undefined) return;
  const hour = await remove('hour', day);
  if (hour !== undefined) {
    await remove('minute', hour);
    await restore(transaction, kind, { from: 'minute', to: 'hour', since: hour });
  }
  await restore(transaction, kind, { from: 'hour', to: 'day', since: day });
}

type Restored = { readonly from: Resolution; readonly to: 'hour' | 'day'; readonly since: bigint };

/** Writes the missing buckets with the last samples of their parts. */
async function restore(
  transaction: Database,
  kind: SeriesKind,
  { from, to, since }: Restored,
): Promise<void> {
  const columns = sql.raw(Object.keys(seriesColumns[kind]).map(columnName).join(', '));
  const subject = sql.raw(seriesKeyColumns(kind).map(columnName).join(', '));
  const bucket = sql`bucket - bucket % ${sql.lit(Number(bucketSeconds[to]))}`;
  await sql`insert into ${sql.table(seriesTableName(kind, to))} (bucket, ${columns})
    select distinct on (${subject}, ${bucket}) ${bucket}, ${columns}
    from ${sql.table(seriesTableName(kind, from))}
    where bucket >= ${since}::int8
    order by ${subject}, ${bucket}, slot desc, at desc
    on conflict do nothing`.execute(transaction);
}

/** The sampler continues after the last sample that is left. */
async function moveSamplerBack(transaction: Database, slot: Slot): Promise<void> {
  const newest = seriesKinds.map(
    (kind) =>
      sql`(select slot, at from ${sql.table(seriesTableName(kind, 'day'))} order by slot desc limit 1)`,
  );
  const names = sql`name in (${SAMPLER_CHECKPOINT}, ${SAMPLES_SINCE_CHECKPOINT})`;
  await sql`with sample as (
      select slot, at from (${sql.join(newest, sql` union all `)}) as newest
      order by slot desc limit 1)
    update checkpoint set slot = sample.slot, at = sample.at from sample
    where name = ${SAMPLER_CHECKPOINT} and checkpoint.slot > ${slot}::int8`.execute(transaction);
  // without any sample they begin anew
  await sql`delete from checkpoint where ${names} and slot > ${slot}::int8`.execute(transaction);
}
