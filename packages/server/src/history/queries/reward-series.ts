import type { Address, UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import {
  type Resolution,
  type SeriesRow,
  seriesColumns,
  seriesTableName,
} from '../schema/series-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

type RewardsQuery = {
  readonly resolution: Resolution;
  readonly subject: Address;
  /** Buckets that start in `[from, to)`. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

/** Rewards of a subject in all mints, oldest first. */
export async function readRewardSeries(
  reader: HistoryReader,
  { resolution, subject, from, to }: RewardsQuery,
): Promise<readonly SeriesRow<'reward'>[]> {
  const where = await addressConditions(reader, { subject });
  if (where === undefined) return [];
  const columns = { bucket: 'seconds', ...seriesColumns.reward } as const;
  const mints = sql`select distinct mint as id from reward_day where ${where}`;
  const table = sql.table(seriesTableName('reward', resolution));
  const rest = sql`from ${table} where ${where} and mint in (${mints})
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket, mint`;
  return await readRows(reader, columns, rest);
}
