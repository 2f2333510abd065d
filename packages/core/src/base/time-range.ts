import { DAY_SECONDS } from './calendar.ts';
import { toUnixSeconds, type UnixSeconds } from './time.ts';

/** `start` is inclusive, `end` exclusive. Empty if `end` is not after `start`. */
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

export function intersectRanges(a: TimeRange, b: TimeRange): TimeRange {
  const start = a.start > b.start ? a.start : b.start;
  return { start, end: a.end < b.end ? a.end : b.end };
}

/** The start of the UTC minute, hour or day that contains the instant. */
export function bucketStart(at: UnixSeconds, frequency: Frequency): UnixSeconds {
  const length = FREQUENCY_SECONDS[frequency];
  const elapsed = ((at % length) + length) % length;
  return toUnixSeconds(at - elapsed);
}

/** Counts the buckets that start in the range, so adjacent ranges share none. */
export function countBuckets(range: TimeRange, frequency: Frequency): bigint {
  if (isEmptyRange(range)) return 0n;
  const length = FREQUENCY_SECONDS[frequency];
  return (nextBucketStart(range.end, frequency) - nextBucketStart(range.start, frequency)) / length;
}

/** The buckets that start in the range, ascending. Check `countBuckets` first: there may be very many. */
export function bucketStarts(range: TimeRange, frequency: Frequency): readonly UnixSeconds[] {
  const length = FREQUENCY_SECONDS[frequency];
  const first = nextBucketStart(range.start, frequency);
  return Array.from({ length: Number(countBuckets(range, frequency)) }, (_, i) =>
    toUnixSeconds(first + BigInt(i) * length),
  );
}

/** The frequency if the request has none: days if the range is longer than `hoursUpToDays`. */
export const defaultFrequency = (range: TimeRange, hoursUpToDays: bigint): 'hour' | 'day' =>
  lengthOf(range) > hoursUpToDays * DAY_SECONDS ? 'day' : 'hour';

/** The longest range of each frequency, in seconds. A frequency that is absent has no limit. */
export type RangeLimits = Readonly<Partial<Record<Frequency, bigint>>>;

export type SeriesRequest = { readonly range: TimeRange; readonly frequency: Frequency };

export type SeriesCost = {
  readonly points: bigint;
  /** Undefined if the range is within the limits. */
  readonly excess: SeriesLimitExcess | undefined;
};

export type SeriesLimitExcess = {
  readonly limitSeconds: bigint;
  /** The most recent part of the range that is within the limit. */
  readonly range: TimeRange;
  /** The finest frequency that allows the whole range. Undefined if there is none. */
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

/** The first bucket start at or after the instant. */
function nextBucketStart(at: UnixSeconds, frequency: Frequency): bigint {
  const start = bucketStart(at, frequency);
  return start === at ? start : start + FREQUENCY_SECONDS[frequency];
}
