import {
  DAY_SECONDS,
  type Frequency,
  formatInstant,
  type Issue,
  type SeriesLimitExcess,
  type SeriesRequest,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { parseInstant } from './instant-parameter.ts';

export type ParameterIssues = { readonly issues: readonly [Issue, ...Issue[]] };

export type TimeRangeParameters = {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
};

export type TimeRangeDefaults = {
  /** The end where none is named. */
  readonly now: UnixSeconds;
  /** How far the start is before the end where none is named; 1970-01-01 if left out. */
  readonly spanSeconds?: bigint;
};

/** What is wrong with either text is told for both. A range that runs backwards is an empty one. */
export function parseTimeRange(
  { start, end }: TimeRangeParameters,
  { now, spanSeconds }: TimeRangeDefaults,
): { readonly range: TimeRange } | ParameterIssues {
  const to = end === undefined ? { instant: now } : parseInstant(end, 'end');
  const from = start === undefined ? undefined : parseInstant(start, 'start');
  if (from !== undefined && 'issues' in from) {
    return 'issues' in to ? { issues: [...from.issues, ...to.issues] } : from;
  }
  if ('issues' in to) return to;
  const usual = toUnixSeconds(spanSeconds === undefined ? 0n : to.instant - spanSeconds);
  return { range: { start: from?.instant ?? usual, end: to.instant } };
}

/** `allowed` is in the order in which it is told; `usual` is taken where nothing is named. */
export function parseFrequency<Allowed extends Frequency>(
  text: string | undefined,
  { allowed, usual }: { readonly allowed: readonly Allowed[]; readonly usual: Allowed },
): { readonly frequency: Allowed } | ParameterIssues {
  const frequency = text === undefined ? usual : allowed.find((name) => name === text);
  if (frequency !== undefined) return { frequency };
  const message = `frequency must be one of ${allowed.join(', ')}`;
  return { issues: [{ path: ['frequency'], code: 'invalid_value', message, options: allowed }] };
}

/** `coarser` tells whether the operation has the parameter `frequency` at all. */
export function rangeLimitIssue(
  { frequency }: SeriesRequest,
  excess: SeriesLimitExcess,
  { coarser }: { readonly coarser: boolean },
): Issue {
  const start = formatInstant(excess.range.start);
  const end = formatInstant(excess.range.end);
  const other = coarser ? excess.frequency : undefined;
  const days = excess.limitSeconds / DAY_SECONDS;
  const change = other === undefined ? '' : `, or frequency=${other}`;
  return {
    path: ['start'],
    code: 'too_big',
    message: `a range by the ${frequency} must have ${days} days or fewer. Ask for start=${start}&end=${end}${change}`,
    maximum: Number(days),
    smallerRange: { start, end },
    ...(other === undefined ? {} : { coarserFrequency: other }),
  };
}
