import {
  bucketStart,
  type Frequency,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';

/** Whether the current state is the last point of a range. A range that ends before now has stored points only. */
export const includesPresent = (range: TimeRange, now: UnixSeconds): boolean =>
  range.end >= now && range.start <= now && !isEmptyRange(range);

type PresentPoint = { readonly frequency: Frequency; readonly exists: boolean };

/**
 * The times of the stored points of a range. The current state takes the place of the point at the start of the running
 * interval, so that there is one point for each interval and the last one is current. Where there is no current state,
 * as of a closed loan, the stored point remains.
 */
export function timesOfStoredPoints(
  range: TimeRange,
  now: UnixSeconds,
  { frequency, exists }: PresentPoint,
): TimeRange {
  const end = exists ? bucketStart(now, frequency) : toUnixSeconds(now + 1n);
  return intersectRanges(range, { start: range.start, end });
}
