import {
  countBuckets,
  DAY_SECONDS,
  type Frequency,
  type TimeRange,
  toUnixSeconds,
} from '@tidegate/core/base';
import type { Operation } from '../../http/operation.ts';
import { parseTimeRange } from '../../http/time-range-parameters.ts';

const MAX_WEIGHT = 50;

/** Assumed length of a range without start. */
const DEFAULT_SPAN_SECONDS = 366n * DAY_SECONDS;

const POINTS_PER_UNIT = 1_000;

export const describeRangeWeight = (pointsPerUnit = POINTS_PER_UNIT): string =>
  `Costs one more rate limit unit per ${pointsPerUnit} points in the range; points that are cached cost a twentieth of that.`;

export type RangeWeightOptions = {
  /** Units of an empty range. */
  readonly minimum?: number;
  /** By the CPU time of a point: see the benchmark `weights`. */
  readonly pointsPerUnit?: number;
  readonly maximum?: number;
};

type Query = Readonly<Record<string, unknown>>;

/** Computes the rate limit units of a range: a minimum plus one per number of points. An invalid range costs one unit. */
export function createRangeWeight(
  clock: () => number,
  frequencyOf: (range: TimeRange, query: Query) => Frequency,
  { minimum = 1, pointsPerUnit = POINTS_PER_UNIT, maximum = MAX_WEIGHT }: RangeWeightOptions = {},
): (query: unknown) => number {
  return (value) => {
    const query = isQuery(value) ? value : {};
    const now = toUnixSeconds(BigInt(Math.floor(clock() / 1000)));
    const parameters = { start: textOf(query['start']), end: textOf(query['end']) };
    const parsed = parseTimeRange(parameters, { now, spanSeconds: DEFAULT_SPAN_SECONDS });
    if ('issues' in parsed) return 1;
    const points = countBuckets(parsed.range, frequencyOf(parsed.range, query));
    const weight = BigInt(minimum) + points / BigInt(pointsPerUnit);
    return weight > maximum ? maximum : Number(weight);
  };
}

/** A cached point costs this part of a computed one: copying compressed chunks takes a sixtieth of the CPU time. */
const CACHED_PART = 20;

/** The weight of a range that is cached in chunks. What is not cached is charged when it is computed. */
export function createChunkedRangeWeight(
  clock: () => number,
  frequencyOf: (range: TimeRange, query: Query) => Frequency,
  options: RangeWeightOptions = {},
): Required<Pick<Operation, 'weightOf' | 'cachedWeightOf'>> {
  const pointsPerUnit = (options.pointsPerUnit ?? POINTS_PER_UNIT) * CACHED_PART;
  return {
    weightOf: createRangeWeight(clock, frequencyOf, options),
    cachedWeightOf: createRangeWeight(clock, frequencyOf, { ...options, pointsPerUnit }),
  };
}

const isQuery = (value: unknown): value is Query => typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
