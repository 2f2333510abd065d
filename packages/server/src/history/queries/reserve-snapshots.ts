import { setImmediate } from 'node:timers/promises';
import { type Address, type Slot, toSlot, type UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { readConfigs } from '../ids/config-ids.ts';
import { fromReservePoint } from '../rows/reserve-points.ts';
import type { Resolution, SeriesRow } from '../schema/series-tables.ts';
import type { HistoryReader } from './history-reader.ts';
import { readSamplesAsOf, type SampleAsOfQuery } from './samples-as-of.ts';
import { readPointAsOf, readSeries, type SeriesRange } from './time-series.ts';

/** A reserve and its oracle price at the last snapshot of a bucket. */
export type ReserveSnapshotRow = ReturnType<typeof fromReservePoint> & {
  readonly bucket: UnixSeconds;
  readonly at: UnixSeconds;
  readonly slot: Slot;
};

type ReserveQuery = { readonly reserve: Address; readonly resolution: Resolution };

/** A stored row with its configuration. It takes a fraction of the memory of the snapshot. */
export type PackedReserveRow = {
  readonly row: SeriesRow<'reserve'>;
  readonly config: Uint8Array;
};

export function unpackReserveRow({ row, config }: PackedReserveRow): ReserveSnapshotRow {
  const { bucket, at, slot } = row;
  return { bucket, at, slot, ...fromReservePoint(row, config) };
}

/** Buckets that start in the range, oldest first, in chunks. */
export async function* readReserveSnapshots(
  reader: HistoryReader,
  query: ReserveQuery,
  range: SeriesRange,
): AsyncGenerator<readonly ReserveSnapshotRow[]> {
  for await (const rows of readReserveRows(reader, query, range)) {
    for (let start = 0; start < rows.length; start += ROWS_PER_TURN) {
      yield rows.slice(start, start + ROWS_PER_TURN).map(unpackReserveRow);
      await setImmediate();
    }
  }
}

/** The same buckets, still packed. */
export async function* readReserveRows(
  reader: HistoryReader,
  { reserve, resolution }: ReserveQuery,
  range: SeriesRange,
): AsyncGenerator<readonly PackedReserveRow[]> {
  const query = { kind: 'reserve', resolution, subject: reserve } as const;
  for await (const rows of readSeries(reader, query, range)) {
    const ids = rows.map(({ config }) => config);
    const configs = await readConfigs(reader.db, 'reserve_config', ids);
    yield rows.flatMap((row) => {
      const config = configs.get(row.config);
      return config === undefined ? [] : [{ row, config }];
    });
  }
}

/** Other requests get a turn after this many rows. */
const ROWS_PER_TURN = 250;

/** The newest snapshot at or before a time. Minute rows may have been deleted, so coarser ones follow. */
export async function readReserveAsOf(
  reader: HistoryReader,
  reserve: Address,
  time: UnixSeconds,
): Promise<ReserveSnapshotRow | undefined> {
  for (const resolution of ['minute', 'hour', 'day'] as const) {
    const row = await readPointAsOf(
      reader,
      { kind: 'reserve', resolution, subject: reserve },
      time,
    );
    if (row === undefined) continue;
    const config = (await readConfigs(reader.db, 'reserve_config', [row.config])).get(row.config);
    const { bucket, at, slot } = row;
    if (config !== undefined) return { bucket, at, slot, ...fromReservePoint(row, config) };
  }
  return undefined;
}

/** A reserve at a snapshot. */
export type ReserveSample = Omit<ReserveSnapshotRow, 'bucket'>;

/** Most reserves per SQL query. */
const CHUNK_QUERIES = 2_000;

/** For each query, the reserve at the newest snapshot at or before the time. */
export async function readReservesAsOf(
  reader: HistoryReader,
  queries: readonly SampleAsOfQuery[],
): Promise<readonly (ReserveSample | undefined)[]> {
  const found: (ReserveSample | undefined)[] = [];
  for (let start = 0; start < queries.length; start += CHUNK_QUERIES) {
    const chunk = queries.slice(start, start + CHUNK_QUERIES);
    const rows = await readSamplesAsOf(reader, 'reserve', chunk);
    const ids = rows.flatMap((row) => row?.config ?? []);
    const configs = await readConfigs(reader.db, 'reserve_config', ids);
    for (const row of rows) {
      const config = row && configs.get(row.config);
      if (row === undefined || config === undefined) found.push(undefined);
      else found.push({ at: row.at, slot: row.slot, ...fromReservePoint(row, config) });
    }
  }
  return found;
}

/** The newest slot at which one of the reserves was sampled; undefined if none was. */
export const readLatestReserveSlot = (
  reader: HistoryReader,
  reserves: readonly Address[],
): Promise<Slot | undefined> =>
  reader.sampleQueries.get(`slot ${reserves.join()}`, () => selectLatestSlot(reader, reserves));

async function selectLatestSlot(
  { db, ids }: HistoryReader,
  reserves: readonly Address[],
): Promise<Slot | undefined> {
  const known = await Promise.all(reserves.map((reserve) => ids.findId(reserve)));
  const list = `{${known.filter((id) => id !== undefined).join(',')}}`;
  const { rows } = await sql<{ slot: bigint | null }>`
    select max(newest.slot) as slot from unnest(${list}::int4[]) as wanted (id)
    cross join lateral (select slot from reserve_day where subject = wanted.id
      order by bucket desc limit 1) as newest`.execute(db);
  const slot = rows[0]?.slot ?? null;
  return slot === null ? undefined : toSlot(slot);
}
