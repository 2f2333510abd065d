import {
  intersectRanges,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import {
  bucketSeconds,
  bucketsOf,
  bucketTime,
  resolutions,
  type SeriesKind,
  seriesTableName,
} from '../schema/series-tables.ts';
import { addressConditions, type HistoryReader } from './history-reader.ts';
import type { SeriesQuery } from './time-series.ts';

/** A series with at most one point per interval. */
export type HoledSeries = SeriesQuery<Exclude<SeriesKind, 'reward'>>;

/**
 * The parts of a range without points of a series, although it has points of any frequency before them: outages, and
 * a frequency that was not recorded or is not stored any more. Bounds are times of points.
 */
export async function readSeriesHoles(
  reader: HistoryReader,
  series: HoledSeries,
  range: TimeRange,
): Promise<readonly TimeRange[]> {
  const where = await addressConditions(reader, { subject: series.subject });
  if (where === undefined) return [];
  const begin = await readFirstTime(reader, series.kind, where);
  if (begin === undefined) return [];
  const start = begin > range.start ? begin : range.start;
  if (start >= range.end) return [];
  const { resolution } = series;
  const known = await readEdges(reader, series, { where, range: { start, end: range.end } });
  const step = bucketSeconds[resolution];
  const edges = [nextTime(start, step) - step, ...known, nextTime(range.end, step)];
  const holes: TimeRange[] = [];
  for (let index = 0; index + 1 < edges.length; index += 2) {
    const [from = 0n, to = 0n] = [edges[index], edges[index + 1]];
    const hole = { start: toUnixSeconds(from), end: toUnixSeconds(to) };
    if (to - from > step) holes.push(intersectRanges(hole, { start, end: range.end }));
  }
  return holes;
}

/** The first time of a point at or after the given one. */
const nextTime = (at: bigint, step: bigint): bigint => at + ((step - (at % step)) % step);

type Scope = { readonly where: RawBuilder<unknown>; readonly range: TimeRange };

/** The first and the last time of each run of points without a hole, in order. */
async function readEdges(
  { db }: HistoryReader,
  { kind, resolution }: SeriesQuery<SeriesKind>,
  { where, range }: Scope,
): Promise<readonly UnixSeconds[]> {
  const { from, to } = bucketsOf(range, resolution);
  const step = bucketSeconds[resolution];
  const points = sql`from ${sql.table(seriesTableName(kind, resolution))}
    where ${where} and bucket >= ${from}::int8 and bucket < ${to}::int8`;
  const timeOf = (bucket: bigint) => bucketTime(toUnixSeconds(bucket), resolution);
  const { rows: counted } = await sql<PointCount>`
    select count(*) as count, min(bucket) as first, max(bucket) as last ${points}`.execute(db);
  const { count = 0n, first = null, last = null } = counted[0] ?? {};
  if (first === null || last === null) return [];
  // most series have no hole, and counting takes a fraction of the time to compare all neighbours
  if (last - first === (count - 1n) * step) return [timeOf(first), timeOf(last)];
  const { rows } = await sql<{ bucket: bigint; ends: boolean; begins: boolean }>`
    select bucket, begins, ends from (
      select bucket,
        bucket - lag(bucket) over (order by bucket) is distinct from ${step}::int8 as begins,
        lead(bucket) over (order by bucket) - bucket is distinct from ${step}::int8 as ends
      ${points}) runs
    where begins or ends order by bucket`.execute(db);
  return rows.flatMap(({ bucket, begins, ends }) => [
    ...(begins ? [timeOf(bucket)] : []),
    ...(ends ? [timeOf(bucket)] : []),
  ]);
}

type PointCount = {
  readonly count: bigint;
  readonly first: bigint | null;
  readonly last: bigint | null;
};

/** The time of the first point of any frequency. */
async function readFirstTime(
  { db }: HistoryReader,
  kind: SeriesKind,
  where: RawBuilder<unknown>,
): Promise<UnixSeconds | undefined> {
  const firstOf = resolutions.map(
    (resolution) => sql`(select bucket + ${bucketSeconds[resolution]}::int8 as time
      from ${sql.table(seriesTableName(kind, resolution))}
      where ${where} order by bucket limit 1)`,
  );
  const { rows } = await sql<{ time: bigint | null }>`
    select min(time) as time from (${sql.join(firstOf, sql` union all `)}) firsts`.execute(db);
  const time = rows[0]?.time ?? null;
  return time === null ? undefined : toUnixSeconds(time);
}
