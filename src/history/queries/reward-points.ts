import { sql } from 'kysely';
import type { Address } from '../../base/address.ts';
import type { UnixSeconds } from '../../base/time.ts';
import { type Resolution, type SeriesRow, seriesColumns, seriesTable } from '../series-tables.ts';
import { type HistoryReader, readRows, whereAddresses } from './reader.ts';

type RewardsAsk = {
  readonly resolution: Resolution;
  readonly subject: Address;
  /** Buckets that start in `[from, to)`. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

/** Everything that a subject gave, of all mints, oldest first. */
export async function readRewards(
  reader: HistoryReader,
  { resolution, subject, from, to }: RewardsAsk,
): Promise<readonly SeriesRow<'reward'>[]> {
  const where = await whereAddresses(reader, { subject });
  if (where === undefined) return [];
  const columns = { bucket: 'seconds', ...seriesColumns.reward } as const;
  const mints = sql`select distinct mint as id from reward_day where ${where}`;
  const table = sql.table(seriesTable('reward', resolution));
  const rest = sql`from ${table} where ${where} and mint in (${mints})
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket, mint`;
  return await readRows(reader, columns, rest);
}
