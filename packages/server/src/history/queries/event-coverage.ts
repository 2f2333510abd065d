import { type Address, type ChainTime, toSlot, toUnixSeconds } from '@tidegate/core/base';
import {
  completeAddressCheckpoint,
  EVENTS_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
} from '../checkpoint-names.ts';
import { readCheckpoint, readGaps } from './checkpoints.ts';
import type { HistoryReader } from './history-reader.ts';

/**
 * The time since which the events of all programs are recorded; slot 0 if none is missing. Undefined while nothing is
 * recorded.
 */
async function readEventsSince({ db }: HistoryReader): Promise<ChainTime | undefined> {
  const since = await readCheckpoint(db, EVENTS_SINCE_CHECKPOINT);
  if (since !== undefined) return since;
  // a database of an earlier release: its oldest transaction is the earliest that can be claimed
  const newest = await readCheckpoint(db, EVENTS_CHECKPOINT);
  if (newest === undefined) return undefined;
  const oldest = await db
    .selectFrom('raw_transaction')
    .select(['slot', 'at'])
    .orderBy('slot')
    .limit(1)
    .executeTakeFirst();
  return oldest === undefined
    ? newest
    : { slot: toSlot(oldest.slot), unix: toUnixSeconds(oldest.at) };
}

/** Whether all events of the address since its creation are recorded: it was loaded, and no gap came after that. */
export async function isAddressComplete({ db }: HistoryReader, address: Address): Promise<boolean> {
  const loaded = await readCheckpoint(db, completeAddressCheckpoint(address));
  if (loaded === undefined) return false;
  const gaps = await readGaps(db, EVENTS_CHECKPOINT);
  return gaps.every(({ until }) => until <= loaded.unix);
}

/** Whether no event of any program is missing. */
export async function areAllEventsRecorded(reader: HistoryReader): Promise<boolean> {
  const since = await readEventsSince(reader);
  return since?.slot === 0n && (await readGaps(reader.db, EVENTS_CHECKPOINT)).length === 0;
}
