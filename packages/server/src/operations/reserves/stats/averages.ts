import { type Address, DAY_SECONDS, type TimeRange, toUnixSeconds } from '@tidegate/core/base';
import { type AveragedRates, trailingAverages } from '@tidegate/core/views/series';
import { BoundedMap } from '../../../caching/bounded-map.ts';
import { readSampleCoverage } from '../../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readSeriesSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds } from '../../../history/schema/series-tables.ts';
import { oncePerApp } from '../../operation-context.ts';
import {
  type PackedRates,
  type RatesQuery,
  type RatesReader,
  readHourlyRates,
} from './hourly-rates.ts';

/** Lengths of the windows in days. */
const WINDOWS = [7, 14, 30, 60, 90, 180, 365] as const;

export type AverageWindow = (typeof WINDOWS)[number];

/** Averages by the length of the window; a window that is longer than the series has none. */
export type ReserveAverages = ReadonlyMap<AverageWindow, AveragedRates>;

export const NO_AVERAGES: ReserveAverages = new Map();

const MAX_WINDOW = 365n * DAY_SECONDS;
const HOUR_SECONDS = bucketSeconds.hour;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An entry takes less than a kilobyte. */
const MAX_ENTRIES = 2_000;
/** Those of a batch. The past of a reserve takes 280 KB. */
const MAX_PASTS = 100;

type Entry = { readonly version: string; readonly averages: Promise<ReserveAverages> };

/** The rates of past days, as long as nothing is added to them. */
type Past = { readonly version: string; readonly rates: PackedRates };

type Caches = {
  readonly entries: BoundedMap<Address, Entry>;
  readonly pasts: BoundedMap<Address, Past>;
};

export const reserveAveragesCache = oncePerApp(({ clock }) => new ReserveAveragesCache(clock));

/**
 * Averages of the hourly series of reserves. Like other cached history, they are computed again after each full hour,
 * and after an hour at most, because another process can import history. Only the last two days are read again then; all of
 * it once a day, and if a gap is filled or the series begins earlier.
 */
export class ReserveAveragesCache {
  readonly #caches = new WeakMap<HistoryReader, Caches>();
  readonly #clock: () => number;

  /** `clock` in epoch milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  async read(query: RatesQuery): Promise<ReserveAverages> {
    const { history, reader, reserve } = query;
    const range = fullHours(reader);
    const series = { kind: 'reserve', resolution: 'hour', subject: reserve } as const;
    const span = await readSeriesSpan(history, series);
    if (span === undefined) return NO_AVERAGES;
    const { gaps } = await readSampleCoverage(history);
    const recorded = [span.first, ...gaps.map(({ since, until }) => `${since}-${until}`)].join(' ');
    const caches = this.#cachesOf(history);
    const version = [range.end, recorded, Math.floor(this.#clock() / HOUR_MS)].join(' ');
    const found = caches.entries.get(reserve);
    const past = {
      pasts: caches.pasts,
      version: [recorded, Math.floor(this.#clock() / DAY_MS)].join(' '),
    };
    const averages = found?.version === version ? found.averages : compute(query, range, past);
    caches.entries.set(reserve, { version, averages });
    averages.catch(() => caches.entries.delete(reserve));
    return averages;
  }

  #cachesOf(history: HistoryReader): Caches {
    const found = this.#caches.get(history) ?? {
      entries: new BoundedMap({ max: MAX_ENTRIES }),
      pasts: new BoundedMap({ max: MAX_PASTS }),
    };
    this.#caches.set(history, found);
    return found;
  }
}

/** From an hour before the longest window to the last full hour, which it includes. */
function fullHours(reader: RatesReader): TimeRange {
  const { unix } = reader.at();
  const hour = unix - (unix % HOUR_SECONDS);
  return {
    start: toUnixSeconds(hour - MAX_WINDOW - HOUR_SECONDS),
    end: toUnixSeconds(hour + 1n),
  };
}

type PastStore = { readonly pasts: Caches['pasts']; readonly version: string };

async function compute(
  query: RatesQuery,
  range: TimeRange,
  { pasts, version }: PastStore,
): Promise<ReserveAverages> {
  const known = pasts.get(query.reserve);
  const { points, past } = await readHourlyRates(
    query,
    range,
    known?.version === version ? known.rates : undefined,
  );
  pasts.set(query.reserve, { version, rates: past });
  return new Map(
    WINDOWS.flatMap((days) => {
      const averages = trailingAverages(points, days);
      return averages === undefined ? [] : [[days, averages] as const];
    }),
  );
}
