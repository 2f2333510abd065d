import {
  CodedError,
  type Issue,
  intersectRanges,
  type RangeLimits,
  type SeriesRequest,
  seriesCost,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import {
  parseTimeRange,
  rangeLimitIssue,
  type TimeRangeDefaults,
  type TimeRangeParameters,
} from '../../http/time-range-parameters.ts';

const RETRY_SECONDS = 5;

/** Throws if the cluster records no history. */
export function requireHistory({ env, history }: Pick<Cluster, 'env' | 'history'>): HistoryReader {
  if (history !== undefined) return history;
  throw new CodedError('HISTORY_NOT_KEPT', { env, retryAfterSeconds: RETRY_SECONDS });
}

/** Throws with all issues of an invalid range. */
export function parseQueryRange(
  parameters: TimeRangeParameters,
  defaults: TimeRangeDefaults,
): TimeRange {
  const parsed = parseTimeRange(parameters, defaults);
  if ('issues' in parsed) throw invalidQuery(parsed.issues);
  return parsed.range;
}

/** Throws if the range is too long for its frequency. `coarser`: the caller can choose another frequency. */
export function requireRangeWithinLimit(
  request: SeriesRequest,
  limits: RangeLimits,
  coarser: boolean,
): void {
  const { excess } = seriesCost(request, limits);
  if (excess !== undefined) throw invalidQuery([rangeLimitIssue(request, excess, { coarser })]);
}

/** Cuts off the part of a range after `now`. */
export const clampToNow = (range: TimeRange, now: UnixSeconds): TimeRange =>
  intersectRanges(range, { start: toUnixSeconds(0n), end: now });

export const invalidQuery = (issues: readonly Issue[]): CodedError =>
  new CodedError('INVALID_QUERY', { issues });
