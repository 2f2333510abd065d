import { sql } from 'kysely';
import { columnName, snakeCase } from '../schema/columns.ts';
import {
  type StateRow,
  type StateTable,
  stateColumns,
  stateKeyColumns,
} from '../schema/event-tables.ts';
import {
  type Resolution,
  type SeriesKind,
  type SeriesRow,
  seriesColumns,
  seriesKeyColumns,
  seriesTableName,
} from '../schema/series-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

/** The newest row of every subject. The newest day holds it, unless days were deleted. */
export async function readLatestPoints<Kind extends SeriesKind>(
  reader: HistoryReader,
  kind: Kind,
  resolution: Resolution = 'day',
): Promise<readonly SeriesRow<Kind>[]> {
  const columns = { bucket: 'seconds', ...seriesColumns[kind] } as const;
  const subjects = sql.raw(seriesKeyColumns(kind).map(columnName).join(', '));
  const table = sql.table(seriesTableName(kind, resolution));
  const rest = sql`from (select distinct on (${subjects}) * from ${table}
    order by ${subjects}, bucket desc) newest`;
  return (await readRows(reader, columns, rest)) as unknown as SeriesRow<Kind>[];
}

/** The newest state of every position. */
export async function readLatestStates<Table extends StateTable>(
  reader: HistoryReader,
  table: Table,
): Promise<readonly StateRow<Table>[]> {
  const subjects = sql.raw(stateKeyColumns[table].map(columnName).join(', '));
  const rest = sql`from (select distinct on (${subjects}) * from ${sql.table(snakeCase(table))}
    order by ${subjects}, slot desc) newest`;
  return await readRows(reader, stateColumns[table], rest);
}
