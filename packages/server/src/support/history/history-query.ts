import {
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
import { CodedError } from '../../errors.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import {
  parseTimeRange,
  rangeLimitIssue,
  type TimeRangeDefaults,
  type TimeRangeParameters,
} from '../../http/time-range-parameters.ts';

const RETRY_SECONDS = 5;

/** Only the operator can change it. */
const DISABLED_RETRY_SECONDS = 3_600;

type RecordedCluster = Pick<Cluster, 'env' | 'recording' | 'historyMode'>;

/** Throws if the cluster records no history. */
export function requireHistory(cluster: RecordedCluster): HistoryReader {
  if (cluster.recording !== undefined) return cluster.recording.history;
  throw missingHistory(cluster);
}

/** Like `requireHistory`, for lists and sums over the events of all positions. */
export function requireAllEvents(cluster: RecordedCluster): HistoryReader {
  if (cluster.historyMode === 'events-on-demand') throw missingHistory(cluster);
  return requireHistory(cluster);
}

/** Why there is no history: nothing is recorded yet, or never. */
export function missingHistory({ env, historyMode: mode = 'full' }: RecordedCluster): CodedError {
  return mode === 'full'
    ? new CodedError('HISTORY_NOT_KEPT', { env, retryAfterSeconds: RETRY_SECONDS })
    : new CodedError('HISTORY_DISABLED', { env, mode, retryAfterSeconds: DISABLED_RETRY_SECONDS });
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
