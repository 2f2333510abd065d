import { DAY_SECONDS } from '../../base/calendar.ts';

/** The rates of a reserve on a full hour, as fractions. `at` is in Unix seconds. */
export type RatePoint = AveragedRates & { readonly at: number };

export type AveragedRates = {
  readonly supplyApy: number;
  readonly borrowApy: number;
  readonly utilization: number;
};

const HOUR = 3_600;

/**
 * Time-weighted averages over the last days up to the newest point. A point counts until the next one and for an hour at
 * most, so that time that was not recorded does not count. Undefined if the series, to the hour, is shorter than the
 * window. `points` must ascend.
 */
export function trailingAverages(
  points: readonly RatePoint[],
  days: number,
): AveragedRates | undefined {
  const [first, end] = [points[0]?.at, points.at(-1)?.at];
  if (first === undefined || end === undefined) return undefined;
  const start = end - days * Number(DAY_SECONDS);
  if (first - start > HOUR) return undefined;
  const sums = { seconds: 0, supplyApy: 0, borrowApy: 0, utilization: 0 };
  for (const [index, point] of points.entries()) {
    const until = Math.min(points[index + 1]?.at ?? point.at, point.at + HOUR);
    const seconds = until - Math.max(point.at, start);
    if (seconds <= 0) continue;
    sums.seconds += seconds;
    sums.supplyApy += point.supplyApy * seconds;
    sums.borrowApy += point.borrowApy * seconds;
    sums.utilization += point.utilization * seconds;
  }
  if (sums.seconds === 0) return undefined;
  return {
    supplyApy: sums.supplyApy / sums.seconds,
    borrowApy: sums.borrowApy / sums.seconds,
    utilization: sums.utilization / sums.seconds,
  };
}
