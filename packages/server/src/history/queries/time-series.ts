import {
  type Address,
  type ChainTime,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import {
  type Resolution,
  type SeriesKind,
  type SeriesRow,
  seriesColumns,
  seriesTableName,
} from '../schema/series-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

/** Rows per SQL query. */
const CHUNK_ROWS = 5_000;

export type SeriesQuery<Kind extends SeriesKind> = {
  readonly kind: Kind;
  readonly resolution: Resolution;
  readonly subject: Address;
} & (Kind extends 'reward' ? { readonly mint: Address } : { readonly mint?: undefined });

export type SeriesRange = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** Buckets that start in `[from, to)`, oldest first, in chunks. Empty buckets are absent. */
export async function* readSeries<Kind extends SeriesKind>(
  reader: HistoryReader,
  query: SeriesQuery<Kind>,
  { from, to }: SeriesRange,
): AsyncGenerator<readonly SeriesRow<Kind>[]> {
  const where = await whereSubject(reader, query);
  if (where === undefined) return;
  let since: bigint = from;
  while (since < to) {
    const rest = sql`from ${tableOf(query)} where ${where}
      and bucket >= ${since}::int8 and bucket < ${to}::int8
      order by bucket limit ${sql.lit(CHUNK_ROWS)}`;
    const rows = await readRows(reader, columnsOf(query.kind), rest);
    if (rows.length > 0) yield rows as unknown as SeriesRow<Kind>[];
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK_ROWS) return;
    since = last.bucket + 1n;
  }
}

/** The last snapshot taken at or before the time. */
export async function readPointAsOf<Kind extends SeriesKind>(
  reader: HistoryReader,
  query: SeriesQuery<Kind>,
  time: UnixSeconds,
): Promise<SeriesRow<Kind> | undefined> {
  const where = await whereSubject(reader, query);
  if (where === undefined) return undefined;
  const rest = sql`from ${tableOf(query)} where ${where}
    and bucket <= ${time}::int8 and at <= ${time}::int8 order by bucket desc limit 1`;
  const [row] = await readRows(reader, columnsOf(query.kind), rest);
  return row as unknown as SeriesRow<Kind> | undefined;
}

/** The start of the first bucket, and when the newest snapshot was taken. */
export type SeriesSpan = { readonly first: UnixSeconds; readonly newest: ChainTime };

/** The range of a series; undefined if it is empty. */
export function readSeriesSpan(
  reader: HistoryReader,
  query: SeriesQuery<SeriesKind>,
): Promise<SeriesSpan | undefined> {
  const { kind, resolution, subject, mint = '' } = query;
  return reader.sampleQueries.get(`span ${kind} ${resolution} ${subject} ${mint}`, () =>
    selectSpan(reader, query),
  );
}

async function selectSpan(
  reader: HistoryReader,
  query: SeriesQuery<SeriesKind>,
): Promise<SeriesSpan | undefined> {
  const where = await whereSubject(reader, query);
  if (where === undefined) return undefined;
  const table = tableOf(query);
  const { rows } = await sql<{ first: bigint; at: bigint; slot: bigint }>`
    select earliest.bucket as first, latest.at, latest.slot
    from (select bucket from ${table} where ${where} order by bucket limit 1) earliest,
      (select at, slot from ${table} where ${where} order by bucket desc limit 1) latest`.execute(
    reader.db,
  );
  const [span] = rows;
  if (span === undefined) return undefined;
  const newest = { unix: toUnixSeconds(span.at), slot: toSlot(span.slot) };
  return { first: toUnixSeconds(span.first), newest };
}

const columnsOf = (kind: SeriesKind) => ({ bucket: 'seconds', ...seriesColumns[kind] }) as const;

const tableOf = ({ kind, resolution }: SeriesQuery<SeriesKind>): RawBuilder<unknown> =>
  sql.table(seriesTableName(kind, resolution));

const whereSubject = (reader: HistoryReader, { subject, mint }: SeriesQuery<SeriesKind>) =>
  addressConditions(reader, mint === undefined ? { subject } : { subject, mint });
