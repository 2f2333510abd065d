import type { Address, UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import type { ColumnTypes, OutputRow } from '../schema/columns.ts';
import { type Resolution, seriesColumns, seriesTableName } from '../schema/series-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

type RewardsQuery = {
  readonly resolution: Resolution;
  readonly subjects: readonly Address[];
  /** Buckets that start in `[from, to)`. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

const { subject, mint, rate, apr } = seriesColumns.reward;

const rewardColumns = {
  bucket: 'seconds',
  subject,
  mint,
  rate,
  apr,
} as const satisfies ColumnTypes;

export type RewardRow = OutputRow<typeof rewardColumns>;

/** Rewards of several subjects in all mints, oldest first. */
export async function readRewardSeries(
  reader: HistoryReader,
  { resolution, subjects, from, to }: RewardsQuery,
): Promise<readonly RewardRow[]> {
  const found = await Promise.all(subjects.map((address) => reader.ids.findId(address)));
  const known = found.filter((id) => id !== undefined);
  if (known.length === 0) return [];
  const ids = sql`any(${`{${known.join(',')}}`}::int4[])`;
  // the index begins with the subject and the mint
  const mints = sql`select distinct mint from reward_day where subject = ${ids}`;
  const table = sql.table(seriesTableName('reward', resolution));
  const rest = sql`from ${table} where subject = ${ids} and mint in (${mints})
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket, mint`;
  return await readRows(reader, rewardColumns, rest);
}
