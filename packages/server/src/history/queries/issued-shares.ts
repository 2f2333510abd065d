import type { Address } from '@tidegate/core/base';
import { sql } from 'kysely';
import type { ColumnTypes, OutputRow } from '../schema/columns.ts';
import { seriesColumns } from '../schema/series-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';
import type { SeriesRange } from './time-series.ts';

const { at, slot, sharesIssued } = seriesColumns.vault;

const columns = { at, slot, sharesIssued } as const satisfies ColumnTypes;

/** Issued shares of a vault at the last sample of each hour that starts in the range, oldest first. */
export async function readIssuedShares(
  reader: HistoryReader,
  vault: Address,
  { from, to }: SeriesRange,
): Promise<readonly OutputRow<typeof columns>[]> {
  const where = await addressConditions(reader, { subject: vault });
  if (where === undefined) return [];
  const rest = sql`from vault_hour where ${where}
    and bucket >= ${from}::int8 and bucket < ${to}::int8 order by bucket`;
  return await readRows(reader, columns, rest);
}
