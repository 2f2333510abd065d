import {
  type Address,
  aprToApyNumber,
  DAY_SECONDS,
  ratioOfSf,
  ratioToNumber,
  type TimeRange,
  toUnixSeconds,
} from '@tidegate/core/base';
import { interestRateBasis, reserveRates } from '@tidegate/core/protocol/klend/math';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type AveragedRates,
  contiguousSpans,
  measureSlotMs,
  type RatePoint,
  trailingAverages,
} from '@tidegate/core/views/series';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type ReserveSnapshotRow,
  readReserveSnapshots,
} from '../../../history/queries/reserve-snapshots.ts';
import { readSeriesSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds, bucketsOf, bucketTime } from '../../../history/schema/series-tables.ts';
import { oncePerApp } from '../../feature-context.ts';

/** Lengths of the windows in days. */
const WINDOWS = [7, 14, 30, 60, 90, 180, 365] as const;

export type AverageWindow = (typeof WINDOWS)[number];

/** Averages by the length of the window; a window that is longer than the series has none. */
export type ReserveAverages = ReadonlyMap<AverageWindow, AveragedRates>;

export const NO_AVERAGES: ReserveAverages = new Map();

const MAX_WINDOW = 365n * DAY_SECONDS;
const HOUR_SECONDS = bucketSeconds.hour;
const HOUR_MS = 3_600_000;
/** An entry takes less than a kilobyte. */
const MAX_ENTRIES = 2_000;

type Entry = { readonly version: string; readonly averages: Promise<ReserveAverages> };

type AveragesQuery = {
  readonly history: HistoryReader;
  readonly reader: ClusterReader;
  readonly reserve: Address;
};

export const reserveAveragesCache = oncePerApp(({ clock }) => new ReserveAveragesCache(clock));

/**
 * Averages of the hourly series of reserves. Like other cached history, they are computed again after each full hour,
 * and after an hour at most, because another process can import history.
 */
export class ReserveAveragesCache {
  readonly #caches = new WeakMap<HistoryReader, Map<Address, Entry>>();
  readonly #clock: () => number;

  /** `clock` in epoch milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  async read(query: AveragesQuery): Promise<ReserveAverages> {
    const { history, reader, reserve } = query;
    const range = fullHours(reader);
    const series = { kind: 'reserve', resolution: 'hour', subject: reserve } as const;
    const span = await readSeriesSpan(history, series);
    if (span === undefined) return NO_AVERAGES;
    const version = [range.end, span.first, Math.floor(this.#clock() / HOUR_MS)].join(' ');
    const entries = this.#caches.get(history) ?? new Map<Address, Entry>();
    this.#caches.set(history, entries);
    const found = entries.get(reserve);
    const entry = found?.version === version ? found : { version, averages: compute(query, range) };
    entries.delete(reserve);
    entries.set(reserve, entry);
    entry.averages.catch(() => entries.delete(reserve));
    removeOldest(entries);
    return entry.averages;
  }
}

/** From an hour before the longest window to the last full hour, which it includes. */
function fullHours(reader: ClusterReader): TimeRange {
  const { unix } = reader.at();
  const hour = unix - (unix % HOUR_SECONDS);
  return {
    start: toUnixSeconds(hour - MAX_WINDOW - HOUR_SECONDS),
    end: toUnixSeconds(hour + 1n),
  };
}

async function compute(
  { history, reader, reserve }: AveragesQuery,
  range: TimeRange,
): Promise<ReserveAverages> {
  const points: RatePoint[] = [];
  let day: ReserveSnapshotRow[] = [];
  const addDay = () => {
    for (const point of ratePoints(day, reader)) points.push(point);
    day = [];
  };
  const query = { reserve, resolution: 'hour' } as const;
  for await (const rows of readReserveSnapshots(history, query, bucketsOf(range, 'hour'))) {
    for (const row of rows) {
      const [first] = day;
      if (first !== undefined && dayOf(first) !== dayOf(row)) addDay();
      day.push(row);
    }
  }
  addDay();
  return new Map(
    WINDOWS.flatMap((days) => {
      const averages = trailingAverages(points, days);
      return averages === undefined ? [] : [[days, averages] as const];
    }),
  );
}

const timeOf = ({ bucket }: ReserveSnapshotRow): bigint => bucketTime(bucket, 'hour');

const dayOf = (row: ReserveSnapshotRow): bigint => timeOf(row) / DAY_SECONDS;

/** The rates of a day as in the history of the reserve, which measures the slot duration per day too. */
function ratePoints(rows: readonly ReserveSnapshotRow[], reader: ClusterReader): RatePoint[] {
  const slotMs = measureSlotMs(contiguousSpans(rows, HOUR_SECONDS), reader.slotMs());
  return rows.map((row) => {
    const { config, liquidity } = row.fields;
    const basis = interestRateBasis(config, reader.rulesAt(row.slot).lending);
    const rates = reserveRates({ config, liquidity, basis }, slotMs);
    return {
      at: Number(timeOf(row)),
      supplyApy: aprToApyNumber(rates.supplyApr),
      borrowApy: aprToApyNumber(rates.borrowApr),
      utilization: ratioToNumber(ratioOfSf(rates.utilization)),
    };
  });
}

function removeOldest(entries: Map<Address, Entry>): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(oldest);
  }
}
