import type { Address, UnixSeconds } from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import type { ColumnTypes, OutputRow } from '../schema/columns.ts';
import {
  type Resolution,
  type SeriesRow,
  seriesColumns,
  seriesTableName,
} from '../schema/series-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

const { subject, at, slot, mint, tokenDecimals, sharesDecimals, sharesIssued } =
  seriesColumns.vault;
const { aumSf, priceSf, solPriceSf, theoreticalApr, interestPerSecond } = seriesColumns.vault;

/** What tells the worth of a share. */
const shareColumns = {
  ...{ bucket: 'seconds', subject, at, mint },
  ...{ tokenDecimals, sharesDecimals, sharesIssued, aumSf, priceSf, solPriceSf },
} as const satisfies ColumnTypes;

export type VaultSharePriceRow = OutputRow<typeof shareColumns>;

/** Of many vaults at once: the last snapshot that was taken at the time or before it. */
export async function readSharePricesAsOf(
  reader: HistoryReader,
  vaults: readonly Address[],
  { resolution, time }: { readonly resolution: Resolution; readonly time: UnixSeconds },
): Promise<readonly VaultSharePriceRow[]> {
  const one = sql`select * from ${sql.table(seriesTableName('vault', resolution))}
    where subject = wanted.id and bucket <= ${time}::int8 and at <= ${time}::int8
    order by bucket desc limit 1`;
  return await readRows(reader, shareColumns, await fromEach(reader, vaults, one));
}

/** The first hour with shares. */
export async function readFirstSharePrices(
  reader: HistoryReader,
  vaults: readonly Address[],
): Promise<readonly VaultSharePriceRow[]> {
  const one = sql`select * from vault_hour where subject = wanted.id and shares_issued > 0
    order by bucket limit 1`;
  return await readRows(reader, shareColumns, await fromEach(reader, vaults, one));
}

/** The newest snapshot in full: a day has the last one that was taken in it. */
export async function readLatestVaultRows(
  reader: HistoryReader,
  vaults: readonly Address[],
): Promise<readonly SeriesRow<'vault'>[]> {
  const columns = { bucket: 'seconds', ...seriesColumns.vault } as const;
  const one = sql`select * from vault_day where subject = wanted.id order by bucket desc limit 1`;
  return await readRows(reader, columns, await fromEach(reader, vaults, one));
}

/** What tells the worth and the earnings of a position. */
const earningColumns = {
  ...shareColumns,
  ...{ slot, theoreticalApr, interestPerSecond },
} as const satisfies ColumnTypes;

export type VaultEarningsRow = OutputRow<typeof earningColumns>;

/** Hours that start in `[from, to)`, oldest first. */
export async function readHourlyVaultEarnings(
  reader: HistoryReader,
  vault: Address,
  { from, to }: { readonly from: UnixSeconds; readonly to: UnixSeconds },
): Promise<readonly VaultEarningsRow[]> {
  const where = await addressConditions(reader, { subject: vault });
  if (where === undefined) return [];
  const rest = sql`from vault_hour where ${where}
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket`;
  return await readRows(reader, earningColumns, rest);
}

async function fromEach(
  { ids }: HistoryReader,
  vaults: readonly Address[],
  one: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const known: number[] = [];
  for (const vault of vaults) {
    const id = await ids.findId(vault);
    if (id !== undefined) known.push(id);
  }
  return sql`from unnest(${`{${known.join(',')}}`}::int4[]) as wanted (id)
    cross join lateral (${one}) as found`;
}
