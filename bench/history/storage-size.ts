import { type Kysely, sql } from 'kysely';
import type { RawAccount } from '#core/base/solana/account.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import type { History } from '#server/history/open-history.ts';
import type { HistoryTables } from '#server/history/schema/tables.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { seriesInserts } from '#server/history/writing/table-inserts.ts';
import { numberedAddress } from '../../test/support/protocol/codecs.ts';
import { generateObligations } from '../generated/generated-obligations.ts';
import type { Population } from './population.ts';

type Db = Kysely<HistoryTables>;

export type StorageSize = {
  readonly reserveYear: number;
  readonly event: number;
  readonly transaction: number;
  readonly state: number;
};

const HOURS_PER_YEAR = 365 * 24;
const EVENTS = ['lending_event', 'vault_event', 'farm_event'];
const STATES = ['obligation_state', 'vault_holding', 'farm_stake'];

/** Table sizes, including indexes. */
export async function measureStorage({ db }: Pick<History, 'db'>): Promise<StorageSize> {
  const sizes = await sizesOf(db);
  const each = async (tables: readonly string[], counted = tables) => {
    const bytes = tables.reduce((sum, table) => sum + (sizes.get(table) ?? 0), 0);
    let rows = 0;
    for (const table of counted) rows += await countOf(db, table);
    return bytes / rows;
  };
  return {
    reserveYear: (await each(['reserve_hour', 'reserve_day'], ['reserve_hour'])) * HOURS_PER_YEAR,
    event: await each(EVENTS),
    transaction: await each(['raw_transaction']),
    state: await each(STATES),
  };
}

export type IdlePlan = { readonly positions: number; readonly days: number };

/**
 * Opens many loans and then does nothing: bytes per loan and year that are written because of them. Only samples may
 * grow, and a sample must have as many rows as before.
 */
export async function measureIdleGrowth(
  { state, recorder, loanAccount }: Pick<Population, 'state' | 'recorder' | 'loanAccount'>,
  histories: readonly Pick<History, 'db'>[],
  { positions, days }: IdlePlan,
): Promise<readonly number[]> {
  const writers = histories.map(({ db }) => new HistoryWriter(db));
  const start = state.at();
  const pointsBefore = recorder.sample(start, 'hour').points?.length ?? 0;
  const opened = recorder.record(opening(loanAccount, positions, after(start, 1)));
  if (opened.obligationStates?.length !== positions) throw new Error('not every loan was seen');
  for (const writer of writers) await writer.append(opened);
  const before = await Promise.all(histories.map(({ db }) => bytesBesideSamples(db)));
  let morePoints = 0;
  for (let day = 1; day <= days; day += 1) {
    const at = after(start, day * DAY_SECONDS);
    const batch = recorder.record({ at, slots: [], transactions: [], sample: 'hour' });
    morePoints += (batch.points?.length ?? 0) - pointsBefore;
    for (const writer of writers) await writer.append(batch);
  }
  const years = (positions * days) / 365;
  const grown = await Promise.all(histories.map(({ db }) => bytesBesideSamples(db)));
  return grown.map((bytes, i) => (bytes - (before[i] ?? 0) + morePoints * POINT_BYTES) / years);
}

const DAY_SECONDS = 86_400;
/** Approximate growth per position. */
const POINT_BYTES = 300;
const SLOTS_PER_SECOND = 2;

const after = ({ slot, unix }: ChainTime, seconds: number): ChainTime => ({
  slot: toSlot(slot + BigInt(seconds * SLOTS_PER_SECOND)),
  unix: toUnixSeconds(unix + BigInt(seconds)),
});

function opening(original: RawAccount, positions: number, at: ChainTime): ClusterStep {
  const accounts = generateObligations([original], positions).map((account, number) => ({
    address: numberedAddress(FIRST_LOAN + number),
    account,
  }));
  return { at, slots: [{ at, accounts }], transactions: [] };
}

const FIRST_LOAN = 78_000_000;
const SAMPLES = seriesInserts.map(({ table }) => table);

async function bytesBesideSamples(db: Db): Promise<number> {
  let sum = 0;
  for (const [table, bytes] of await sizesOf(db)) {
    if (!SAMPLES.some((name) => table.startsWith(name))) sum += bytes;
  }
  return sum;
}

async function sizesOf(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; bytes: bigint }>`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db);
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function countOf(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}
