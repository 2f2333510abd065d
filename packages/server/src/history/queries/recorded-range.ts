import { type Address, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import { EVENTS_SINCE_CHECKPOINT, oldestBackfillCheckpoint } from '../checkpoint-names.ts';
import type { HistoryReader } from './history-reader.ts';

export type RecordedRange = {
  /** Since when all events are recorded; 0 if none is missing. Undefined while nothing is recorded. */
  readonly eventsSince: UnixSeconds | undefined;
  /** Where the backfill of each program is; without those that were never filled. */
  readonly backfilledTo: ReadonlyMap<Address, UnixSeconds>;
};

/** How far the events of these programs reach back, from their checkpoints. */
export async function readRecordedRange(
  { db }: HistoryReader,
  programs: readonly Address[],
): Promise<RecordedRange> {
  const names = programs.map(oldestBackfillCheckpoint);
  const rows = await db
    .selectFrom('checkpoint')
    .select(['name', 'slot', 'at'])
    .where('name', 'in', [EVENTS_SINCE_CHECKPOINT, ...names])
    .execute();
  const byName = new Map(rows.map((row) => [row.name, row]));
  const since = byName.get(EVENTS_SINCE_CHECKPOINT);
  const backfilledTo = programs.flatMap((program): [Address, UnixSeconds][] => {
    const row = byName.get(oldestBackfillCheckpoint(program));
    return row === undefined ? [] : [[program, toUnixSeconds(row.at)]];
  });
  return {
    eventsSince: since && toUnixSeconds(BigInt(since.slot) === 0n ? 0n : since.at),
    backfilledTo: new Map(backfilledTo),
  };
}
