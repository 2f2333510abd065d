import { setImmediate } from 'node:timers/promises';
import {
  type Address,
  type ChainTime,
  type Frequency,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { BoundedMap } from '../../caching/bounded-map.ts';
import type { SeriesSpan } from '../../history/queries/time-series.ts';
import { bucketOf, bucketTime } from '../../history/schema/series-tables.ts';
import { createEtag } from '../../http/cache/etag.ts';
import type { BodyPart } from '../../http/compression/body-encoder.ts';
import { oncePerApp } from '../../operations/operation-context.ts';
import {
  type BuiltChunk,
  chunkBytes,
  createHistoryChunk,
  type HistoryChunk,
  sliceHistoryChunk,
} from './history-chunk.ts';
import type { EnterQueue, RunQueued } from './history-queue.ts';

type SeriesIdentity = {
  /** Unique together with the subject. */
  readonly name: string;
  readonly subject: Address;
  readonly frequency: Frequency;
  readonly span: SeriesSpan;
};

/** A series that is cached in chunks. */
export type ChunkedSeries<Row> = SeriesIdentity & {
  /** Rows in the range, oldest first. */
  readonly read: (range: TimeRange) => AsyncIterable<readonly Row[]>;
  readonly timeOf: (row: Row) => UnixSeconds;
  /** JSON of each row of a chunk. */
  readonly itemsOf: (rows: readonly Row[]) => readonly string[];
};

/** Span of an empty series. */
export const EMPTY_SERIES_SPAN: SeriesSpan = {
  first: toUnixSeconds(0n),
  newest: { unix: toUnixSeconds(-1n), slot: toSlot(0n) },
};

/** The newest sample is that of the end of its bucket, also if it was taken earlier. */
export const labelledSpan = ({ first, newest }: SeriesSpan, frequency: Frequency): SeriesSpan => ({
  first: bucketTime(first, frequency),
  newest: { ...newest, unix: bucketTime(bucketOf(newest.unix, frequency), frequency) },
});

/** Short, because the last chunk is rebuilt after every sample. */
const CHUNK_SECONDS: Readonly<Record<Frequency, bigint>> = {
  minute: 3_600n,
  hour: 86_400n,
  day: 30n * 86_400n,
};

/** The chunks that contain the range, as one range. */
export function alignToChunks({ start, end }: TimeRange, frequency: Frequency): TimeRange {
  const length = CHUNK_SECONDS[frequency];
  return {
    start: toUnixSeconds(start - (start % length)),
    end: toUnixSeconds(end + ((length - (end % length)) % length)),
  };
}

/** A chunk is final if it ends this long before the newest sample. */
const SETTLING_SECONDS = 600n;

/** Adjacent chunks read with one query. */
const MAX_CHUNKS_PER_QUERY = 60;

/** A year of a reserve by hour takes about 2 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 1_024;
const HOUR_MS = 3_600_000;

type Entry = { readonly chunk: HistoryChunk; readonly subject: Address; readonly version: string };
type Slice = TimeRange & { readonly key: string; readonly version: string };

export const historyChunkCache = oncePerApp(({ clock, metrics }) => {
  const cache = new HistoryChunkCache(clock);
  metrics.gauge('tidegate_cached_history_bytes', 'Bytes of cached history.', () => cache.bytes);
  metrics.gauge('tidegate_cached_history_chunks', 'Cached parts of histories.', () => cache.size);
  const hits = 'Parts of histories that were cached when a request needed them.';
  metrics.counter('tidegate_history_cache_hits_total', hits, () => cache.hits);
  const misses = 'Parts of histories that a request had to compute.';
  metrics.counter('tidegate_history_cache_misses_total', misses, () => cache.misses);
  return cache;
});

/**
 * LRU cache of history as compressed JSON, bounded in bytes. A final chunk is built once, the last chunk of a series once per
 * sample. All chunks expire after an hour, because another process can import history.
 */
export class HistoryChunkCache {
  readonly #entries: BoundedMap<string, Entry>;
  readonly #building = new Map<string, Promise<readonly BuiltChunk[]>>();
  readonly #clock: () => number;
  #hits = 0;
  #misses = 0;
  #invalidations = 0;

  /** `clock` in epoch milliseconds. */
  constructor(clock: () => number, maxBytes: number = MAX_BYTES) {
    this.#clock = clock;
    const weightOf = ({ chunk }: Entry, key: string) =>
      chunkBytes(chunk) + ENTRY_BYTES + key.length;
    this.#entries = new BoundedMap({ max: maxBytes, weightOf });
  }

  get bytes(): number {
    return this.#entries.weight;
  }

  get size(): number {
    return this.#entries.size;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Call after the history of a subject has changed. */
  invalidate(subject: Address): void {
    this.#invalidations += 1;
    for (const [key, entry] of this.#entries)
      if (entry.subject === subject) this.#entries.delete(key);
  }

  clear(): void {
    this.#invalidations += 1;
    for (const key of this.#entries.keys()) this.#entries.delete(key);
  }

  /** Entity tag of the items in a range. */
  etagOf(series: SeriesIdentity, range: TimeRange): string {
    const { name, subject, span } = series;
    const version = this.#versionOf(span.newest, range.end);
    return createEtag([name, subject, range.start, range.end, version].join(' '));
  }

  /**
   * JSON items of a range in parts, separated by commas within a part. Missing chunks are built in the turn that `enter` returns; it is
   * called before the first item, if at all, with the missing part of the chunks.
   */
  async *read<Row>(
    series: ChunkedSeries<Row>,
    requested: TimeRange,
    enter: EnterQueue,
  ): AsyncGenerator<BodyPart> {
    const { first, newest } = series.span;
    const end = toUnixSeconds(newest.unix + 1n);
    const range = intersectRanges(requested, { start: first, end });
    const slices = [...this.#slicesOf(series, range)];
    const absent = slices.filter((slice) => this.#find(slice) === undefined);
    this.#hits += slices.length - absent.length;
    this.#misses += absent.length;
    const lastMissing = absent.at(-1);
    const turn = lastMissing === undefined ? undefined : await enter(absent.length / slices.length);
    let missing: Slice[] = [];
    try {
      for (const slice of slices) {
        const chunk = this.#find(slice);
        if (chunk === undefined) missing.push(slice);
        const isRun = chunk !== undefined || missing.length === MAX_CHUNKS_PER_QUERY;
        if (!isRun && slice !== slices.at(-1)) continue;
        const built = await this.#buildOnce(series, missing, turn?.run ?? runNow);
        if (lastMissing !== undefined && slice.end >= lastMissing.end) turn?.leave();
        for (const each of [...built, ...(chunk === undefined ? [] : [{ chunk }])]) {
          const part = sliceHistoryChunk(each, range);
          if (part !== undefined) yield part;
        }
        missing = [];
      }
    } finally {
      turn?.leave();
    }
  }

  *#slicesOf(series: SeriesIdentity, range: TimeRange): Generator<Slice> {
    const { name, subject, frequency, span } = series;
    if (isEmptyRange(range)) return;
    const length = CHUNK_SECONDS[frequency];
    for (let at = range.start - (range.start % length); at < range.end; at += length) {
      const end = toUnixSeconds(at + length);
      const version = this.#versionOf(span.newest, end);
      yield { key: `${name} ${subject} ${at}`, start: toUnixSeconds(at), end, version };
    }
  }

  /** Version of a chunk that ends at `end`. */
  #versionOf({ unix, slot }: ChainTime, end: UnixSeconds): string {
    const epoch = `${this.#invalidations} ${Math.floor(this.#clock() / HOUR_MS)}`;
    return end + SETTLING_SECONDS <= unix ? epoch : `${epoch} ${slot}`;
  }

  #find({ key, version }: Slice): HistoryChunk | undefined {
    const isCurrent = this.#entries.get(key)?.version === version;
    return isCurrent ? this.#entries.use(key)?.chunk : undefined;
  }

  /** Builds adjacent chunks with one query. Concurrent requests for the same chunks share it. */
  async #buildOnce<Row>(
    series: ChunkedSeries<Row>,
    missing: readonly Slice[],
    run: RunQueued,
  ): Promise<readonly BuiltChunk[]> {
    if (missing.length === 0) return [];
    const id = missing.map(({ key, version }) => `${key} ${version}`).join();
    const running = this.#building.get(id);
    if (running !== undefined) return await running;
    const chunks = run(() => this.#build(series, missing)).finally(() => this.#building.delete(id));
    this.#building.set(id, chunks);
    return await chunks;
  }

  async #build<Row>(
    series: ChunkedSeries<Row>,
    run: readonly Slice[],
  ): Promise<readonly BuiltChunk[]> {
    const invalidations = this.#invalidations;
    const start = run[0]?.start ?? toUnixSeconds(0n);
    const rows: Row[] = [];
    for await (const batch of series.read({ start, end: run.at(-1)?.end ?? start })) {
      rows.push(...batch);
    }
    const chunks: BuiltChunk[] = [];
    const times = rows.map(series.timeOf);
    let first = 0;
    for (const slice of run) {
      let end = first;
      while (end < times.length && isBefore(times[end], slice.end)) end += 1;
      const items = series.itemsOf(rows.slice(first, end));
      const built = createHistoryChunk(times.slice(first, end), items);
      first = end;
      chunks.push(built);
      const isCurrent = invalidations === this.#invalidations;
      if (isCurrent) {
        const { key, version } = slice;
        this.#entries.set(key, { chunk: built.chunk, subject: series.subject, version });
      }
      // Yield to the event loop.
      await setImmediate();
    }
    return chunks;
  }
}

/** A chunk that was evicted while it was read is built without a turn. */
const runNow: RunQueued = (job) => job();

const isBefore = (at: UnixSeconds | undefined, end: UnixSeconds): boolean =>
  at !== undefined && at < end;
