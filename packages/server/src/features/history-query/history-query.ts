import {
  CodedError,
  formatInstant,
  type Issue,
  intersectRanges,
  isEmptyRange,
  type RangeLimits,
  type SeriesRequest,
  seriesCost,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { readCheckpoint, readGaps } from '../../history/queries/checkpoints.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { Gap } from '../../history/writing/batch.ts';
import {
  parseTimeRange,
  rangeLimitIssue,
  type TimeRangeDefaults,
  type TimeRangeParameters,
} from '../../http/time-range-parameters.ts';

/** When to look again whether there is a past. */
const RETRY_SECONDS = 5;

/** Headers have a limit; the newest gaps are told. */
const TOLD_GAPS = 20;

/** Whoever takes the samples writes its gaps under this name. */
const SAMPLER = 'sampler';

/** And whoever follows events its own, and how far it has come. */
const EVENTS = 'events';

/** It tells so at least twice a minute, also if nothing happens. */
const LATE_SECONDS = 120n;

export function requireHistory({ env, history }: Pick<Cluster, 'env' | 'history'>): HistoryReader {
  if (history !== undefined) return history;
  throw new CodedError('HISTORY_NOT_KEPT', { env, retryAfterSeconds: RETRY_SECONDS });
}

/** The range that a caller asks for; what is wrong with it is told in full. */
export function parseQueryRange(
  texts: TimeRangeParameters,
  defaults: TimeRangeDefaults,
): TimeRange {
  const parsed = parseTimeRange(texts, defaults);
  if ('issues' in parsed) throw invalidQuery(parsed.issues);
  return parsed.range;
}

/** Refuses a range that is longer than its frequency is answered for; `coarser` if another one can be named. */
export function requireRangeWithinLimit(
  asked: SeriesRequest,
  limits: RangeLimits,
  coarser: boolean,
): void {
  const { excess } = seriesCost(asked, limits);
  if (excess !== undefined) throw invalidQuery([rangeLimitIssue(asked, excess, { coarser })]);
}

/** What of a range has been. */
export const clampToNow = (range: TimeRange, now: UnixSeconds): TimeRange =>
  intersectRanges(range, { start: toUnixSeconds(0n), end: now });

export const invalidQuery = (issues: readonly Issue[]): CodedError =>
  new CodedError('INVALID_QUERY', { issues });

/** `x-gaps` names the times within a range in which nothing was sampled: nothing is made up for them. */
export async function setSampleGapsHeader(
  reply: FastifyReply,
  { db }: HistoryReader,
  range: TimeRange,
): Promise<void> {
  tell(reply, await readGaps(db, SAMPLER), range);
}

/** The same of times whose events are not known (yet). All times are meant if no range is asked for. */
export async function setEventGapsHeader(
  reply: FastifyReply,
  { db }: HistoryReader,
  { now, range = EVER }: { readonly now: UnixSeconds; readonly range?: TimeRange },
): Promise<void> {
  const gaps = await readGaps(db, EVENTS);
  const reached = (await readCheckpoint(db, EVENTS))?.unix ?? now;
  const isLate = now - reached > LATE_SECONDS;
  tell(reply, [...gaps, ...(isLate ? [{ since: reached, until: now }] : [])], range);
}

const EVER: TimeRange = { start: toUnixSeconds(0n), end: toUnixSeconds(10n ** 12n) };

type Unknown = Pick<Gap, 'since' | 'until'>;

function tell(reply: FastifyReply, gaps: readonly Unknown[], range: TimeRange): void {
  const touched = gaps.map(({ since, until }) =>
    intersectRanges({ start: since, end: until }, range),
  );
  const told = touched.filter((gap) => !isEmptyRange(gap)).slice(-TOLD_GAPS);
  if (told.length === 0) return;
  const texts = told.map(({ start, end }) => `${formatInstant(start)}/${formatInstant(end)}`);
  reply.header('x-gaps', texts.join(', '));
}
