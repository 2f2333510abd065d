import { createHash } from 'node:crypto';
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
import type { SeriesSpan } from '../../history/queries/time-series.ts';
import { oncePerApp } from '../feature-context.ts';
import { createHistoryChunk, type HistoryChunk, sliceHistoryChunk } from './history-chunk.ts';

type SeriesName = {
  /** With the subject, what tells it from all others. */
  readonly name: string;
  readonly subject: Address;
  readonly frequency: Frequency;
  readonly span: SeriesSpan;
};

/** A series that is answered in pieces. */
export type ChunkedSeries<Row> = SeriesName & {
  /** Rows whose time is in the range, oldest first. */
  readonly read: (range: TimeRange) => AsyncIterable<readonly Row[]>;
  readonly timeOf: (row: Row) => UnixSeconds;
  /** The rows of one piece as JSON, each by itself. */
  readonly itemsOf: (rows: readonly Row[]) => readonly string[];
};

/** Of a series in which there is nothing. */
export const EMPTY_SERIES_SPAN: SeriesSpan = {
  first: toUnixSeconds(0n),
  newest: { unix: toUnixSeconds(-1n), slot: toSlot(0n) },
};

/** Short, so that the last one, which is not finished, is made quickly. */
const PIECE_SECONDS: Readonly<Record<Frequency, bigint>> = {
  minute: 3_600n,
  hour: 86_400n,
  day: 30n * 86_400n,
};

/** A piece that ended this long before the newest snapshot is finished. */
const SETTLING_SECONDS = 600n;

/** Made with one query. */
const RUN_PIECES = 60;

const MAX_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 512;
const HOUR_MS = 3_600_000;

type Entry = { readonly piece: HistoryChunk; readonly subject: Address; readonly madeFor: string };
type Slice = TimeRange & { readonly key: string; readonly madeFor: string };

export const historyChunkCache = oncePerApp(({ clock, metrics }) => {
  const cache = new HistoryChunkCache(clock);
  metrics.gauge('tidegate_past_bytes', 'Bytes of cached history.', () => cache.bytes);
  return cache;
});

/**
 * The past as JSON, piece by piece: what is finished is made once, what is not once per snapshot. Bounded in bytes;
 * what was not used for longest gives way. All of it is made again once an hour, as another process may have
 * brought in more of the past.
 */
export class HistoryChunkCache {
  readonly #entries = new Map<string, Entry>();
  readonly #making = new Map<string, Promise<readonly HistoryChunk[]>>();
  readonly #clock: () => number;
  readonly #maxBytes: number;
  #bytes = 0;
  #changes = 0;

  /** `clock` in epoch milliseconds. */
  constructor(clock: () => number, maxBytes: number = MAX_BYTES) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** For whoever changes the past of a subject. */
  invalidate(subject: Address): void {
    this.#changes += 1;
    for (const [key, entry] of this.#entries) if (entry.subject === subject) this.#drop(key);
  }

  clear(): void {
    this.#changes += 1;
    for (const key of this.#entries.keys()) this.#drop(key);
  }

  /** Changes when the answer for that range may. */
  etagOf(series: SeriesName, range: TimeRange): string {
    const { name, subject, span } = series;
    const state = this.#stateOf(span.newest, range.end);
    const facts = [name, subject, range.start, range.end, state].join(' ');
    return createHash('sha256').update(facts).digest('base64url').slice(0, 22);
  }

  /** The items of a range, each with a comma before it. */
  async *read<Row>(series: ChunkedSeries<Row>, asked: TimeRange): AsyncGenerator<Buffer> {
    const { first, newest } = series.span;
    const range = intersectRanges(asked, { start: first, end: toUnixSeconds(newest.unix + 1n) });
    let missing: Slice[] = [];
    for (const slice of this.#slicesOf(series, range)) {
      const piece = this.#find(slice);
      if (piece === undefined) missing.push(slice);
      if (piece === undefined && missing.length < RUN_PIECES) continue;
      if (missing.length > 0) yield* this.#made(series, missing, range);
      if (piece !== undefined) yield sliceHistoryChunk(piece, range);
      missing = [];
    }
    if (missing.length > 0) yield* this.#made(series, missing, range);
  }

  *#slicesOf(series: SeriesName, range: TimeRange): Generator<Slice> {
    const { name, subject, frequency, span } = series;
    if (isEmptyRange(range)) return;
    const length = PIECE_SECONDS[frequency];
    for (let at = range.start - (range.start % length); at < range.end; at += length) {
      const end = toUnixSeconds(at + length);
      const madeFor = this.#stateOf(span.newest, end);
      yield { key: `${name} ${subject} ${at}`, start: toUnixSeconds(at), end, madeFor };
    }
  }

  /** What a piece that ends then depends on. */
  #stateOf({ unix, slot }: ChainTime, end: UnixSeconds): string {
    const epoch = `${this.#changes} ${Math.floor(this.#clock() / HOUR_MS)}`;
    return end + SETTLING_SECONDS <= unix ? epoch : `${epoch} ${slot}`;
  }

  #find({ key, madeFor }: Slice): HistoryChunk | undefined {
    const entry = this.#entries.get(key);
    if (entry?.madeFor !== madeFor) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.piece;
  }

  /** Neighbours, with one query; who asks for the same at the same time waits for it. */
  async *#made<Row>(
    series: ChunkedSeries<Row>,
    run: readonly Slice[],
    range: TimeRange,
  ): AsyncGenerator<Buffer> {
    const id = run.map(({ key, madeFor }) => `${key} ${madeFor}`).join();
    const making = this.#making.get(id);
    const made = making ?? this.#make(series, run).finally(() => this.#making.delete(id));
    if (making === undefined) this.#making.set(id, made);
    for (const piece of await made) yield sliceHistoryChunk(piece, range);
  }

  async #make<Row>(
    series: ChunkedSeries<Row>,
    run: readonly Slice[],
  ): Promise<readonly HistoryChunk[]> {
    const changes = this.#changes;
    const start = run[0]?.start ?? toUnixSeconds(0n);
    const rows: Row[] = [];
    for await (const some of series.read({ start, end: run.at(-1)?.end ?? start })) {
      rows.push(...some);
    }
    const pieces: HistoryChunk[] = [];
    for (const slice of run) {
      const own = rows.filter((row) => isIn(slice, series.timeOf(row)));
      const piece = createHistoryChunk(own.map(series.timeOf), series.itemsOf(own));
      pieces.push(piece);
      if (changes === this.#changes)
        this.#keep(slice, { ...slice, piece, subject: series.subject });
      // others have their turn between pieces
      await setImmediate();
    }
    return pieces;
  }

  #keep({ key }: Slice, { piece, subject, madeFor }: Entry): void {
    this.#drop(key);
    this.#entries.set(key, { piece, subject, madeFor });
    this.#bytes += sizeOf(piece);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(entry.piece);
  }
}

const isIn = ({ start, end }: TimeRange, at: UnixSeconds): boolean => at >= start && at < end;

const sizeOf = ({ bytes }: HistoryChunk): number => bytes.length + ENTRY_BYTES;
