import type { Address } from '@tidegate/core/base';
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

/** Positions per query: the text of all of them may be longer than a value of the database or a string can be. */
export const POSITIONS_PER_PAGE = 1_000;

/** The newest state of every position, in pages. */
export async function* readLatestStates<Table extends StateTable>(
  reader: HistoryReader,
  table: Table,
): AsyncGenerator<readonly StateRow<Table>[]> {
  const keys: readonly string[] = stateKeyColumns[table];
  const subjects = sql.join(keys.map((key) => sql.ref(columnName(key))));
  // the primary key backwards: the newest state of a position comes first, and nothing has to be sorted
  const order = sql.join([...keys, 'slot'].map((key) => sql`${sql.ref(columnName(key))} desc`));
  let where = sql``;
  for (;;) {
    const rest = sql`from (select distinct on (${subjects}) * from ${sql.table(snakeCase(table))}
      ${where} order by ${order} limit ${POSITIONS_PER_PAGE}::int8) newest order by ${order}`;
    const page = await readRows(reader, stateColumns[table], rest);
    if (page.length > 0) yield page;
    const last = page[POSITIONS_PER_PAGE - 1];
    if (last === undefined) return;
    const addresses = keys.map(
      (key) => (last as Readonly<Record<string, unknown>>)[key] as Address,
    );
    const ids = await Promise.all(addresses.map((address) => reader.ids.findId(address)));
    where = sql`where (${subjects}) < (${sql.join(ids.map((id) => sql`${id}::int4`))})`;
  }
}
