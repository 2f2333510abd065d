import {
  countBuckets,
  DAY_SECONDS,
  type Frequency,
  type TimeRange,
  toUnixSeconds,
} from '@tidegate/core/base';
import { parseTimeRange } from '../../http/time-range-parameters.ts';

const POINTS_PER_UNIT = 1_000n;
const MAX_WEIGHT = 50;

/** Counted for a range that names no start: nobody knows yet how much there is. */
const USUAL_SPAN_SECONDS = 366n * DAY_SECONDS;

/** For the description of an operation that is charged by its range. */
export const RANGE_WEIGHT_DESCRIPTION = `One unit of the limit more for each ${POINTS_PER_UNIT} points that fit into the range.`;

type Query = Readonly<Record<string, unknown>>;

/** What a range costs: `least`, and more for what there is to read. One that will be refused costs one unit. */
export function createRangeWeight(
  clock: () => number,
  frequencyOf: (range: TimeRange, query: Query) => Frequency,
  least = 1,
): (query: unknown) => number {
  return (given) => {
    const query = isQuery(given) ? given : {};
    const now = toUnixSeconds(BigInt(Math.floor(clock() / 1000)));
    const texts = { start: textOf(query['start']), end: textOf(query['end']) };
    const parsed = parseTimeRange(texts, { now, spanSeconds: USUAL_SPAN_SECONDS });
    if ('issues' in parsed) return 1;
    const points = countBuckets(parsed.range, frequencyOf(parsed.range, query));
    const weight = BigInt(least) + points / POINTS_PER_UNIT;
    return weight > MAX_WEIGHT ? MAX_WEIGHT : Number(weight);
  };
}

const isQuery = (value: unknown): value is Query => typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
