import type { Address } from '@tidegate/core/base';
import { sql } from 'kysely';
import type { ColumnTypes, OutputRow } from '../schema/columns.ts';
import { type SeriesKind, seriesColumns, seriesTableName } from '../schema/series-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

export type SampleAsOfQuery = { readonly subject: Address; readonly at: bigint };

export type SeriesSample<Kind extends SeriesKind> = OutputRow<(typeof seriesColumns)[Kind]>;

/** For each ask the newest sample of its subject that was taken at the time or before it, of minutes and hours. */
export async function readSamplesAsOf<Kind extends Exclude<SeriesKind, 'reward'>>(
  reader: HistoryReader,
  kind: Kind,
  asks: readonly SampleAsOfQuery[],
): Promise<readonly (SeriesSample<Kind> | undefined)[]> {
  if (asks.length === 0) return [];
  const ids = await Promise.all(asks.map(({ subject }) => reader.ids.findId(subject)));
  const known = asks.flatMap(({ at }, asked) => {
    const id = ids[asked];
    return id === undefined ? [] : [{ asked, id, at }];
  });
  const list = (values: readonly (number | bigint)[]) => `{${values.join(',')}}`;
  const last = (resolution: 'minute' | 'hour') => sql`
    (select * from ${sql.table(seriesTableName(kind, resolution))}
    where subject = ask.of_subject and bucket <= ask.of_time and at <= ask.of_time
    order by bucket desc limit 1)`;
  const rest = sql`from unnest(
      ${list(known.map(({ asked }) => asked))}::int4[],
      ${list(known.map(({ id }) => id))}::int4[],
      ${list(known.map(({ at }) => at))}::int8[]) as ask (asked, of_subject, of_time)
    cross join lateral (
      select * from (${last('minute')} union all ${last('hour')}) as each_last
      order by at desc limit 1) as found`;
  const columns: ColumnTypes = { asked: 'count', ...seriesColumns[kind] };
  const rows = await readRows(reader, columns, rest);
  const found = new Map(rows.map((row) => [row['asked'], row as unknown as SeriesSample<Kind>]));
  return asks.map((_, asked) => found.get(asked));
}
