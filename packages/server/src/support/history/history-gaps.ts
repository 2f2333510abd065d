import {
  type ChainTime,
  type Frequency,
  formatInstant,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { EVENTS_CHECKPOINT } from '../../history/checkpoint-names.ts';
import { readCheckpoint, readGaps } from '../../history/queries/checkpoints.ts';
import { readEventsBegin, readSampleCoverage } from '../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { HoledSeries } from '../../history/queries/series-holes.ts';
import { bucketSeconds } from '../../history/schema/series-tables.ts';
import type { Gap } from '../../history/writing/batch.ts';
import { requireHistory } from './history-query.ts';
import { includesPresent, timesOfStoredPoints } from './present-range.ts';
import type { SeriesHolesReader } from './series-holes-cache.ts';
import { type GapSubject, hasNewestEvents, readPositionGapsOf } from './unexplained-positions.ts';

/** The header lists the newest gaps up to this number. */
const MAX_LISTED_GAPS = 20;

/** The checkpoint of events moves at least twice a minute, also without events. */
const MAX_CHECKPOINT_AGE_SECONDS = 120n;

const ALL_TIME: TimeRange = { start: toUnixSeconds(0n), end: toUnixSeconds(10n ** 12n) };

/** Sets `x-gaps` to the times in the range without samples. Missing samples are never interpolated. */
export async function setSampleGapsHeader(
  reply: FastifyReply,
  history: HistoryReader,
  range: TimeRange,
): Promise<void> {
  const { begin, gaps } = await readSampleCoverage(history);
  const before = timeBefore(begin);
  setGapsHeader(reply, [...before, ...gaps], range);
}

/** Sets `x-gaps` like `setSampleGapsHeader`, and to the time from the point before an unknown one to the point after it. */
export async function setPointGapsHeader(
  reply: FastifyReply,
  history: HistoryReader,
  { range, frequency, unknown }: UnknownPoints,
): Promise<void> {
  const { begin, gaps } = await readSampleCoverage(history);
  const before = timeBefore(begin);
  const length = bucketSeconds[frequency];
  const missing = unknown.map((at) => ({
    since: toUnixSeconds(at - length),
    until: toUnixSeconds(at + length),
  }));
  setGapsHeader(reply, [...before, ...gaps, ...missing], range);
}

type UnknownPoints = {
  readonly range: TimeRange;
  readonly frequency: Frequency;
  /** Times of points that cannot be computed, although the time was recorded. */
  readonly unknown: readonly UnixSeconds[];
};

/** Sets `x-gaps` like `setSampleGapsHeader`, and to the times without points of the series. */
export async function setSeriesGapsHeader(
  reply: FastifyReply,
  series: HoledSeries,
  { range, now, holes }: SeriesGapsQuery,
): Promise<void> {
  const { begin, gaps } = await readSampleCoverage(holes.history);
  const before = timeBefore(begin);
  // the current interval has no stored point yet
  const past = timesOfStoredPoints(range, now, {
    frequency: series.resolution,
    exists: includesPresent(range, now),
  });
  const unknown = (await holes.read(series, past)).map(({ start, end }) => {
    return { since: start, until: end };
  });
  setGapsHeader(reply, [...before, ...gaps, ...unknown], range);
}

type SeriesGapsQuery = {
  readonly range: TimeRange;
  readonly now: UnixSeconds;
  readonly holes: SeriesHolesReader;
};

/** Sets `x-gaps` to the times in the range, by default all times, whose events are not recorded. */
export async function setEventGapsHeader(
  reply: FastifyReply,
  history: HistoryReader,
  { now, range = ALL_TIME, since, positions }: EventGapsQuery,
): Promise<void> {
  const recorded = await readGaps(history.db, EVENTS_CHECKPOINT);
  const unexplained = positions === undefined ? [] : await readUnexplained(history, now, positions);
  const gaps = [...recorded, ...unexplained];
  const openGap = await readOpenGap(history, now);
  const before = [...timeBefore(await readEventsBegin(history)), ...timeBefore(since)];
  setGapsHeader(reply, [...before, ...gaps, ...openGap], range);
}

type EventGapsQuery = {
  readonly now: UnixSeconds;
  readonly range?: TimeRange;
  /** The last slot from before the requested events were recorded. */
  readonly since?: ChainTime | undefined;
  /** The positions whose events are requested. */
  readonly positions?: GapSubject;
};

/**
 * Sets `x-gaps` for positions whose history was loaded: only events that are not read yet, and those that do not explain
 * the states of the positions, can be missing.
 */
export async function setPositionGapsHeader(
  reply: FastifyReply,
  cluster: Cluster,
  positions: GapSubject,
): Promise<void> {
  const history = requireHistory(cluster);
  const now = cluster.reader.at().unix;
  // each request loads the newest events of its positions
  if (cluster.historyMode === 'events-on-demand') return;
  const isRecorded = await hasNewestEvents(cluster, positions);
  const openGap = await readOpenGap(history, now, isRecorded ? MAX_CHECKPOINT_AGE_SECONDS : 0n);
  const unexplained = await readUnexplained(history, now, positions);
  setGapsHeader(reply, [...openGap, ...unexplained], ALL_TIME);
}

/** The times since the newest states that events explain. */
async function readUnexplained(
  history: HistoryReader,
  now: UnixSeconds,
  positions: GapSubject,
): Promise<readonly TimeGap[]> {
  const gaps = await readPositionGapsOf(history, positions);
  return gaps.map(({ at: since }) => ({ since, until: toUnixSeconds(now + 1n) }));
}

/** The time since the last recorded slot, if that is too long ago. */
async function readOpenGap(
  { db }: HistoryReader,
  now: UnixSeconds,
  maxAge = MAX_CHECKPOINT_AGE_SECONDS,
): Promise<readonly TimeGap[]> {
  const recordedUntil = (await readCheckpoint(db, EVENTS_CHECKPOINT))?.unix ?? now;
  const isLate = now - recordedUntil > maxAge || maxAge === 0n;
  return isLate
    ? [{ since: recordedUntil, until: maxAge === 0n ? toUnixSeconds(now + 1n) : now }]
    : [];
}

type TimeGap = Pick<Gap, 'since' | 'until'>;

/** The time before the instance began to record; empty if nothing is missing. */
const timeBefore = (since: ChainTime | undefined): readonly TimeGap[] =>
  since === undefined || since.slot === 0n ? [] : [{ since: ALL_TIME.start, until: since.unix }];

function setGapsHeader(reply: FastifyReply, gaps: readonly TimeGap[], range: TimeRange): void {
  const inRange = gaps
    .map(({ since, until }) => intersectRanges({ start: since, end: until }, range))
    .filter((gap) => !isEmptyRange(gap));
  const listed = mergeOverlapping(inRange).slice(-MAX_LISTED_GAPS);
  if (listed.length === 0) return;
  const intervals = listed.map(({ start, end }) => `${formatInstant(start)}/${formatInstant(end)}`);
  reply.header('x-gaps', intervals.join(', '));
}

/** Oldest first. */
function mergeOverlapping(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const merged: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => Number(a.start - b.start))) {
    const last = merged.at(-1);
    if (last === undefined || range.start > last.end) merged.push(range);
    else if (range.end > last.end) merged[merged.length - 1] = { ...last, end: range.end };
  }
  return merged;
}
