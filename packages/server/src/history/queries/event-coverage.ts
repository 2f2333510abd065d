import {
  type Address,
  type ChainTime,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { sql } from 'kysely';
import {
  completeAddressCheckpoint,
  EVENTS_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
  FARM_MANAGEMENT_SINCE_CHECKPOINT,
  listedAddressCheckpoint,
  QUEUE_EVENTS_SINCE_CHECKPOINT,
  SAMPLER_CHECKPOINT,
  SAMPLES_SINCE_CHECKPOINT,
} from '../checkpoint-names.ts';
import { readCheckpoint, readGaps } from './checkpoints.ts';
import type { HistoryReader } from './history-reader.ts';

/**
 * The time since which the events of all programs are recorded; slot 0 if none is missing. Undefined while nothing is
 * recorded.
 */
export async function readEventsSince({ db }: HistoryReader): Promise<ChainTime | undefined> {
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

/** When the instance began to record events; slot 0 if none is missing. Undefined in a database of an earlier release. */
export const readEventsBegin = ({ db }: HistoryReader): Promise<ChainTime | undefined> =>
  readCheckpoint(db, EVENTS_SINCE_CHECKPOINT);

/** When the instance began to record samples and states; slot 0 if none is missing. */
export const readSamplesBegin = async (reader: HistoryReader): Promise<ChainTime | undefined> =>
  (await readSampleCoverage(reader)).begin;

/** When sampling began, like `readSamplesBegin`, and the times without samples since then, oldest first. */
type SampleCoverage = {
  readonly begin: ChainTime | undefined;
  readonly gaps: readonly { readonly since: UnixSeconds; readonly until: UnixSeconds }[];
};

/** One query, because every request for history needs it. */
export const readSampleCoverage = ({ db, sampleQueries }: HistoryReader): Promise<SampleCoverage> =>
  sampleQueries.get('coverage', () => selectCoverage(db));

async function selectCoverage(db: HistoryReader['db']): Promise<SampleCoverage> {
  const { rows } = await sql<{ name: string | null; first: bigint; second: bigint }>`
    select null as name, since as first, until as second from gap where name = ${SAMPLER_CHECKPOINT}
    union all select name, slot, at from checkpoint
    where name in (${SAMPLES_SINCE_CHECKPOINT}, ${EVENTS_SINCE_CHECKPOINT})
    order by first`.execute(db);
  const beginOf = (checkpoint: string): ChainTime | undefined => {
    const row = rows.find(({ name }) => name === checkpoint);
    return row && { slot: toSlot(row.first), unix: toUnixSeconds(row.second) };
  };
  const gaps = rows
    .filter(({ name }) => name === null)
    .map(({ first, second }) => ({ since: toUnixSeconds(first), until: toUnixSeconds(second) }));
  return { begin: beginOf(SAMPLES_SINCE_CHECKPOINT) ?? beginOf(EVENTS_SINCE_CHECKPOINT), gaps };
}

/** Lists of all positions start here: earlier events are those of single positions that were loaded. */
export async function readEventsFrom(reader: HistoryReader): Promise<UnixSeconds> {
  const begin = await readEventsBegin(reader);
  return begin === undefined || begin.slot === 0n ? toUnixSeconds(0n) : begin.unix;
}

/** Queued withdrawals and order fills up to this time are incomplete; undefined if none is missing. */
export const readQueueEventsSince = ({ db }: HistoryReader): Promise<ChainTime | undefined> =>
  readCheckpoint(db, QUEUE_EVENTS_SINCE_CHECKPOINT);

/** Instructions of farm administrators up to this time are missing; undefined if none is missing. */
export const readFarmManagementSince = ({ db }: HistoryReader): Promise<ChainTime | undefined> =>
  readCheckpoint(db, FARM_MANAGEMENT_SINCE_CHECKPOINT);

/** `created`: all events since a transaction created the account. `listed`: all in the ledger, which did not create it. */
export type AddressCoverage = 'created' | 'listed';

/** Undefined if the address was not loaded, or if a gap came after that. */
export async function readAddressCoverage(
  { db }: HistoryReader,
  address: Address,
): Promise<AddressCoverage | undefined> {
  const created = await readCheckpoint(db, completeAddressCheckpoint(address));
  const loaded = created ?? (await readCheckpoint(db, listedAddressCheckpoint(address)));
  if (loaded === undefined) return undefined;
  const gaps = await readGaps(db, EVENTS_CHECKPOINT);
  if (gaps.some(({ until }) => until > loaded.unix)) return undefined;
  return created === undefined ? 'listed' : 'created';
}

/** Whether no event of any program is missing. */
export async function areAllEventsRecorded(reader: HistoryReader): Promise<boolean> {
  const since = await readEventsSince(reader);
  return since?.slot === 0n && (await readGaps(reader.db, EVENTS_CHECKPOINT)).length === 0;
}
