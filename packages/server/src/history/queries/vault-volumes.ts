import { type Address, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { addressConditions, type HistoryReader } from './history-reader.ts';

export type VaultVolumesQuery = {
  readonly vault: Address;
  /** The token's mint, to look up the price of events that were stored without one. */
  readonly mint: Address;
  readonly kinds: readonly number[];
  /** Times in `[from, to)`. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

/** Sum over a UTC day of base units times price, scaled by 2^60. */
export type DailyVolume = { readonly day: UnixSeconds; readonly valueSf: bigint };

/** Daily volumes of a vault. Days without events are absent. */
export async function readDailyVolumes(
  reader: HistoryReader,
  { vault, mint, kinds, from, to }: VaultVolumesQuery,
): Promise<readonly DailyVolume[]> {
  const where = await addressConditions(reader, { vault });
  if (where === undefined) return [];
  const mintId = (await reader.ids.findId(mint)) ?? -1;
  const lastPrice = (resolution: 'minute' | 'hour') => sql`(select price_sf
    from ${sql.table(`price_${resolution}`)} as price where price.subject = ${mintId}::int4
    and price.bucket <= event.at and price.at <= event.at order by price.bucket desc limit 1)`;
  const { rows } = await sql<{ day: bigint; value: string }>`
    select at / 86400 * 86400 as day, sum(token_amount * coalesce(price_sf,
      ${lastPrice('minute')}, ${lastPrice('hour')}, 0))::numeric(100, 0)::text as value
    from vault_event as event where ${where} and kind = any(${`{${kinds.join(',')}}`}::int4[])
    and at >= ${from}::int8 and at < ${to}::int8 and token_amount is not null
    group by 1 order by 1`.execute(reader.db);
  return rows.map(({ day, value }) => ({
    day: toUnixSeconds(BigInt(day)),
    valueSf: BigInt(value),
  }));
}
