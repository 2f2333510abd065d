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
  /** Default end. */
  readonly now: UnixSeconds;
  /** Default distance between start and end; without it, the default start is 1970-01-01. */
  readonly spanSeconds?: bigint;
};

/** Reports the issues of both parameters. A range whose end is before its start is empty. */
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
  const defaultStart = toUnixSeconds(spanSeconds === undefined ? 0n : to.instant - spanSeconds);
  return { range: { start: from?.instant ?? defaultStart, end: to.instant } };
}

export function parseFrequency<Allowed extends Frequency>(
  text: string | undefined,
  { allowed, fallback }: { readonly allowed: readonly Allowed[]; readonly fallback: Allowed },
): { readonly frequency: Allowed } | ParameterIssues {
  const frequency = text === undefined ? fallback : allowed.find((name) => name === text);
  if (frequency !== undefined) return { frequency };
  const message = `frequency must be one of ${allowed.join(', ')}`;
  return { issues: [{ path: ['frequency'], code: 'invalid_value', message, options: allowed }] };
}

/** `coarser`: the operation has a `frequency` parameter, so the issue can suggest another value. */
export function rangeLimitIssue(
  { frequency }: SeriesRequest,
  excess: SeriesLimitExcess,
  { coarser }: { readonly coarser: boolean },
): Issue {
  const start = formatInstant(excess.range.start);
  const end = formatInstant(excess.range.end);
  const coarserFrequency = coarser ? excess.frequency : undefined;
  const days = excess.limitSeconds / DAY_SECONDS;
  const alternative = coarserFrequency === undefined ? '' : `, or frequency=${coarserFrequency}`;
  return {
    path: ['start'],
    code: 'too_big',
    message: `a range of ${frequency} data must not exceed ${days} days. Use start=${start}&end=${end}${alternative}`,
    maximum: Number(days),
    smallerRange: { start, end },
    ...(coarserFrequency === undefined ? {} : { coarserFrequency }),
  };
}
