import type { Address } from '@tidegate/core/base';
import { sql } from 'kysely';
import type { ColumnTypes, OutputRow } from '../schema/columns.ts';
import { type SeriesKind, seriesColumns, seriesTableName } from '../schema/series-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

export type SampleAsOfQuery = { readonly subject: Address; readonly at: bigint };

export type SeriesSample<Kind extends SeriesKind> = OutputRow<(typeof seriesColumns)[Kind]>;

/** For each query, the newest minute or hour sample of the subject at or before the time. */
export async function readSamplesAsOf<Kind extends Exclude<SeriesKind, 'reward'>>(
  reader: HistoryReader,
  kind: Kind,
  queries: readonly SampleAsOfQuery[],
): Promise<readonly (SeriesSample<Kind> | undefined)[]> {
  if (queries.length === 0) return [];
  const ids = await Promise.all(queries.map(({ subject }) => reader.ids.findId(subject)));
  const known = queries.flatMap(({ at }, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ index, id, at }];
  });
  const list = (values: readonly (number | bigint)[]) => `{${values.join(',')}}`;
  const last = (resolution: 'minute' | 'hour') => sql`
    (select * from ${sql.table(seriesTableName(kind, resolution))}
    where subject = query.query_subject and bucket <= query.query_time and at <= query.query_time
    order by bucket desc limit 1)`;
  const rest = sql`from unnest(
      ${list(known.map(({ index }) => index))}::int4[],
      ${list(known.map(({ id }) => id))}::int4[],
      ${list(known.map(({ at }) => at))}::int8[]) as query (query_index, query_subject, query_time)
    cross join lateral (
      select * from (${last('minute')} union all ${last('hour')}) as candidate
      order by at desc limit 1) as found`;
  const columns: ColumnTypes = { queryIndex: 'count', ...seriesColumns[kind] };
  const rows = await readRows(reader, columns, rest);
  const found = new Map(
    rows.map((row) => [row['queryIndex'], row as unknown as SeriesSample<Kind>]),
  );
  return queries.map((_, index) => found.get(index));
}
