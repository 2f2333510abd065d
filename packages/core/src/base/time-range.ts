import { DAY_SECONDS } from './calendar.ts';
import { toUnixSeconds, type UnixSeconds } from './time.ts';

/** From `start` on, up to before `end`; empty where the end is not after the start. */
export type TimeRange = { readonly start: UnixSeconds; readonly end: UnixSeconds };

/** Finest first. */
const FREQUENCIES = ['minute', 'hour', 'day'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const FREQUENCY_SECONDS: Readonly<Record<Frequency, bigint>> = {
  minute: 60n,
  hour: 3600n,
  day: DAY_SECONDS,
};

export const isEmptyRange = ({ start, end }: TimeRange): boolean => start >= end;

/** The part of a range of which there can be anything: nothing is known before the first point or of the future. */
export function intersectRanges(a: TimeRange, b: TimeRange): TimeRange {
  const start = a.start > b.start ? a.start : b.start;
  return { start, end: a.end < b.end ? a.end : b.end };
}

/** The start in UTC of the minute, hour or day that an instant is in. */
export function bucketStart(at: UnixSeconds, frequency: Frequency): UnixSeconds {
  const length = FREQUENCY_SECONDS[frequency];
  const into = ((at % length) + length) % length;
  return toUnixSeconds(at - into);
}

/** Buckets that start in a range, so that ranges next to each other share none. */
export function countBuckets(range: TimeRange, frequency: Frequency): bigint {
  if (isEmptyRange(range)) return 0n;
  const length = FREQUENCY_SECONDS[frequency];
  return (nextStart(range.end, frequency) - nextStart(range.start, frequency)) / length;
}

/** The same buckets, ascending. Count them first: there may be very many. */
export function bucketStarts(range: TimeRange, frequency: Frequency): readonly UnixSeconds[] {
  const length = FREQUENCY_SECONDS[frequency];
  const first = nextStart(range.start, frequency);
  return Array.from({ length: Number(countBuckets(range, frequency)) }, (_, i) =>
    toUnixSeconds(first + BigInt(i) * length),
  );
}

/** What a range gets where no frequency is named: days where it is longer than that. */
export const defaultFrequency = (range: TimeRange, hoursUpToDays: bigint): 'hour' | 'day' =>
  lengthOf(range) > hoursUpToDays * DAY_SECONDS ? 'day' : 'hour';

/** The longest range that each frequency answers; one that is left out answers any. */
export type RangeLimits = Readonly<Partial<Record<Frequency, bigint>>>;

export type SeriesRequest = { readonly range: TimeRange; readonly frequency: Frequency };

export type SeriesCost = {
  readonly points: bigint;
  /** Undefined where it is within the limits; what would be, otherwise. */
  readonly excess: SeriesLimitExcess | undefined;
};

export type SeriesLimitExcess = {
  readonly limitSeconds: bigint;
  /** The newest part of the range that fits. */
  readonly range: TimeRange;
  /** The finest frequency that the whole range can be had with; undefined where none is coarse enough. */
  readonly frequency: Frequency | undefined;
};

export function seriesCost({ range, frequency }: SeriesRequest, limits: RangeLimits): SeriesCost {
  const points = countBuckets(range, frequency);
  const limitSeconds = limits[frequency];
  if (limitSeconds === undefined || lengthOf(range) <= limitSeconds) {
    return { points, excess: undefined };
  }
  const start = toUnixSeconds(range.end - limitSeconds);
  const coarser = FREQUENCIES.slice(FREQUENCIES.indexOf(frequency) + 1).find((name) => {
    const limit = limits[name];
    return limit === undefined || lengthOf(range) <= limit;
  });
  return {
    points,
    excess: { limitSeconds, range: { start, end: range.end }, frequency: coarser },
  };
}

const lengthOf = ({ start, end }: TimeRange): bigint => (end > start ? end - start : 0n);

/** The first start of a bucket that is not before an instant. */
function nextStart(at: UnixSeconds, frequency: Frequency): bigint {
  const start = bucketStart(at, frequency);
  return start === at ? start : start + FREQUENCY_SECONDS[frequency];
}
