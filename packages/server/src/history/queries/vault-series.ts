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
import type { SeriesRange } from './time-series.ts';

const { subject, at, slot, mint, tokenDecimals, sharesDecimals, sharesIssued } =
  seriesColumns.vault;
const { heldSf, pendingFeesSf, aumSf, priceSf, solPriceSf, theoreticalApr, interestPerSecond } =
  seriesColumns.vault;

/** Columns that determine the share price. */
const shareColumns = {
  bucket: 'seconds',
  subject,
  at,
  mint,
  tokenDecimals,
  sharesDecimals,
  sharesIssued,
  aumSf,
  priceSf,
  solPriceSf,
} as const satisfies ColumnTypes;

export type VaultSharePriceRow = OutputRow<typeof shareColumns>;

/** The last snapshot of each vault at or before the time. */
export async function readSharePricesAsOf(
  reader: HistoryReader,
  vaults: readonly Address[],
  { resolution, time }: { readonly resolution: Resolution; readonly time: UnixSeconds },
): Promise<readonly VaultSharePriceRow[]> {
  const one = sql`select * from ${sql.table(seriesTableName('vault', resolution))}
    where subject = wanted.id and bucket <= ${time}::int8 and at <= ${time}::int8
    order by bucket desc limit 1`;
  return await readRows(reader, shareColumns, await fromEachVault(reader, vaults, one));
}

/** The first hour of each vault with issued shares. */
export async function readFirstSharePrices(
  reader: HistoryReader,
  vaults: readonly Address[],
): Promise<readonly VaultSharePriceRow[]> {
  const one = sql`select * from vault_hour where subject = wanted.id and shares_issued > 0
    order by bucket limit 1`;
  return await readRows(reader, shareColumns, await fromEachVault(reader, vaults, one));
}

/** The newest snapshot of each vault. A day row holds the last snapshot of the day. */
export async function readLatestVaultRows(
  reader: HistoryReader,
  vaults: readonly Address[],
): Promise<readonly SeriesRow<'vault'>[]> {
  const columns = { bucket: 'seconds', ...seriesColumns.vault } as const;
  const one = sql`select * from vault_day where subject = wanted.id order by bucket desc limit 1`;
  return await readRows(reader, columns, await fromEachVault(reader, vaults, one));
}

/** Columns that determine the value and the earnings of a position. */
const earningColumns = {
  ...shareColumns,
  heldSf,
  pendingFeesSf,
  slot,
  theoreticalApr,
  interestPerSecond,
} as const satisfies ColumnTypes;

export type VaultEarningsRow = OutputRow<typeof earningColumns>;

const { farm, actualApr, farmRewardsApr, reservesIncentivesApr, interestSf } = seriesColumns.vault;
const { interestUsd, interestSol, reserves, investedSf, supplyAprsSf, rewardAprsSf } =
  seriesColumns.vault;

/** Columns of the metrics history. */
const metricsColumns = {
  ...shareColumns,
  farm,
  heldSf,
  theoreticalApr,
  actualApr,
  farmRewardsApr,
  reservesIncentivesApr,
  interestSf,
  interestUsd,
  interestSol,
  reserves,
  investedSf,
  supplyAprsSf,
  rewardAprsSf,
} as const satisfies ColumnTypes;

export type VaultMetricsRow = OutputRow<typeof metricsColumns>;

type VaultSeriesQuery = { readonly vault: Address; readonly resolution: Resolution };

/** Buckets that start in `[from, to)`, oldest first. */
export async function readVaultMetrics(
  reader: HistoryReader,
  { vault, resolution }: VaultSeriesQuery,
  { from, to }: SeriesRange,
): Promise<readonly VaultMetricsRow[]> {
  const where = await addressConditions(reader, { subject: vault });
  if (where === undefined) return [];
  const rest = sql`from ${sql.table(seriesTableName('vault', resolution))} where ${where}
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket`;
  return await readRows(reader, metricsColumns, rest);
}

/** Hours that start in `[from, to)`, oldest first. */
export async function readHourlyVaultEarnings(
  reader: HistoryReader,
  vault: Address,
  { from, to }: SeriesRange,
): Promise<readonly VaultEarningsRow[]> {
  const where = await addressConditions(reader, { subject: vault });
  if (where === undefined) return [];
  const rest = sql`from vault_hour where ${where}
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket`;
  return await readRows(reader, earningColumns, rest);
}

async function fromEachVault(
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
