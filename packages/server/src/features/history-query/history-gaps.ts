import {
  formatInstant,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import {
  EVENTS_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
  SAMPLER_CHECKPOINT,
} from '../../history/checkpoint-names.ts';
import { readCheckpoint, readGaps } from '../../history/queries/checkpoints.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { Gap } from '../../history/writing/batch.ts';

/** The header lists the newest gaps up to this number. */
const MAX_LISTED_GAPS = 20;

/** The checkpoint of events moves at least twice a minute, also without events. */
const MAX_CHECKPOINT_AGE_SECONDS = 120n;

const ALL_TIME: TimeRange = { start: toUnixSeconds(0n), end: toUnixSeconds(10n ** 12n) };

/** Sets `x-gaps` to the times in the range without samples. Missing samples are never interpolated. */
export async function setSampleGapsHeader(
  reply: FastifyReply,
  { db }: HistoryReader,
  range: TimeRange,
): Promise<void> {
  const gaps = await readGaps(db, SAMPLER_CHECKPOINT);
  setGapsHeader(reply, [...(await readTimeBeforeRecording(db)), ...gaps], range);
}

/** Sets `x-gaps` to the times in the range, by default all times, whose events are not recorded. */
export async function setEventGapsHeader(
  reply: FastifyReply,
  { db }: HistoryReader,
  { now, range = ALL_TIME }: { readonly now: UnixSeconds; readonly range?: TimeRange },
): Promise<void> {
  const gaps = await readGaps(db, EVENTS_CHECKPOINT);
  const recordedUntil = (await readCheckpoint(db, EVENTS_CHECKPOINT))?.unix ?? now;
  const isLate = now - recordedUntil > MAX_CHECKPOINT_AGE_SECONDS;
  const openGap = isLate ? [{ since: recordedUntil, until: now }] : [];
  setGapsHeader(reply, [...(await readTimeBeforeRecording(db)), ...gaps, ...openGap], range);
}

type TimeGap = Pick<Gap, 'since' | 'until'>;

/** The time before the instance began to record; empty if nothing is missing. */
async function readTimeBeforeRecording(db: HistoryReader['db']): Promise<readonly TimeGap[]> {
  const began = await readCheckpoint(db, EVENTS_SINCE_CHECKPOINT);
  if (began === undefined || began.slot === 0n) return [];
  return [{ since: ALL_TIME.start, until: began.unix }];
}

function setGapsHeader(reply: FastifyReply, gaps: readonly TimeGap[], range: TimeRange): void {
  const listed = gaps
    .map(({ since, until }) => intersectRanges({ start: since, end: until }, range))
    .filter((gap) => !isEmptyRange(gap))
    .slice(-MAX_LISTED_GAPS);
  if (listed.length === 0) return;
  const intervals = listed.map(({ start, end }) => `${formatInstant(start)}/${formatInstant(end)}`);
  reply.header('x-gaps', intervals.join(', '));
}
