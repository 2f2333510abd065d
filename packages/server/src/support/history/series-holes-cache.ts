import type { TimeRange } from '@tidegate/core/base';
import { BoundedMap } from '../../caching/bounded-map.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { type HoledSeries, readSeriesHoles } from '../../history/queries/series-holes.ts';
import type { SeriesSpan } from '../../history/queries/time-series.ts';
import { oncePerApp } from '../../operations/operation-context.ts';

/** With the holes of each at most about 6 MB. */
const MAX_ENTRIES = 2_000;
/** A longer list is read again each time. */
const MAX_CACHED_HOLES = 20;
const HOUR_MS = 3_600_000;

type Entry = { readonly version: string; readonly holes: readonly TimeRange[] };

/** Reads the times without points in a range. */
export type SeriesHolesReader = {
  readonly history: HistoryReader;
  read(series: HoledSeries, range: TimeRange): Promise<readonly TimeRange[]>;
};

export const seriesHolesCache = oncePerApp(({ clock }) => new SeriesHolesCache(clock));

/**
 * LRU cache of the holes in series. Like history chunks, an entry is valid until the next sample, and for an hour at
 * most, because another process can import history.
 */
export class SeriesHolesCache {
  readonly #caches = new WeakMap<HistoryReader, BoundedMap<string, Entry>>();
  readonly #clock: () => number;
  readonly #readHoles: typeof readSeriesHoles;

  /** `clock` in epoch milliseconds. */
  constructor(clock: () => number, readHoles: typeof readSeriesHoles = readSeriesHoles) {
    this.#clock = clock;
    this.#readHoles = readHoles;
  }

  of(history: HistoryReader, { span }: { readonly span: SeriesSpan }): SeriesHolesReader {
    const entries =
      this.#caches.get(history) ?? new BoundedMap<string, Entry>({ max: MAX_ENTRIES });
    this.#caches.set(history, entries);
    const version = `${span.newest.slot} ${Math.floor(this.#clock() / HOUR_MS)}`;
    const readHoles = this.#readHoles;
    return {
      history,
      async read(series, range) {
        const { kind, resolution, subject } = series;
        const key = `${kind} ${resolution} ${subject} ${range.start} ${range.end}`;
        const found = entries.get(key);
        const isCurrent = found?.version === version;
        const holes = isCurrent ? found.holes : await readHoles(history, series, range);
        if (holes.length <= MAX_CACHED_HOLES) entries.set(key, { version, holes });
        else entries.delete(key);
        return holes;
      },
    };
  }
}
