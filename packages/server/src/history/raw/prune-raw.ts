import type { Address, ChainTime, UnixSeconds } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { RAW_BASE_CHECKPOINT } from '../checkpoint-names.ts';
import type { History } from '../open-history.ts';
import type { HistoryTables } from '../schema/tables.ts';
import { moveCheckpoint } from '../writing/move-checkpoint.ts';
import { readLargeRawAccounts, writeRawAccounts } from './raw-accounts.ts';
import { type RawAccountChange, type RawStep, RawStepCodec } from './raw-step-codec.ts';

/** Advisory lock key; unique within the database. */
const LOCK = 7_404_131;

/** Approximate number of rows per call; the call continues to the end of the hour. */
const STEP_ROWS = 20;

const HOUR = 3_600n;

type Row = { readonly slot: bigint; readonly part: number; readonly deflated: Uint8Array };

/**
 * Deletes some of the steps and transactions before a time, oldest first, in one database transaction, and merges the
 * steps into the stored raw accounts. Returns whether there may be more. Ends at a full hour, whose samples are never
 * deleted, so that a replay can start there.
 */
export async function pruneRaw(db: Kysely<HistoryTables>, oldest: UnixSeconds): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const end = await findEnd(transaction, oldest);
    if (end === undefined) return false;
    const reached = await mergeSteps(transaction, end);
    if (reached === undefined) return false;
    const { slot, unix: at } = reached;
    await sql`delete from raw_transaction where slot <= ${slot}::int8`.execute(transaction);
    await moveCheckpoint(transaction, { name: RAW_BASE_CHECKPOINT, direction: 'newer', slot, at });
    return true;
  });
}

/** Makes the space of deleted rows reusable. A PostgreSQL server does so by itself. */
export async function vacuumRaw({ db, engine }: Pick<History, 'db' | 'engine'>): Promise<void> {
  if (engine === 'pglite') await sql`vacuum raw_step, raw_transaction, raw_account`.execute(db);
}

/** The hour up to which to prune. */
async function findEnd(
  transaction: Transaction<HistoryTables>,
  oldest: UnixSeconds,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ at: bigint }>`select at from raw_step
    order by slot, part limit ${sql.lit(STEP_ROWS)}`.execute(transaction);
  const last = rows.at(-1)?.at;
  if (last === undefined) return undefined;
  const end = last - (last % HOUR) + HOUR;
  const latest = oldest - (oldest % HOUR);
  return end < latest ? end : latest;
}

/** Returns the time of the last merged step; undefined if there is none before `end`. */
async function mergeSteps(
  transaction: Transaction<HistoryTables>,
  end: bigint,
): Promise<ChainTime | undefined> {
  const codec = new RawStepCodec();
  for (const change of await readLargeRawAccounts(transaction)) codec.setBaseline(change);
  let reached: ChainTime | undefined;
  for (;;) {
    const row = await firstRow(transaction);
    if (row === undefined) return reached;
    const steps = codec.decode(row.deflated);
    const merged = steps.filter(({ at }) => at.unix < end);
    reached = merged.at(-1)?.at ?? reached;
    await writeRawAccounts(transaction, finalAccounts(merged));
    if (merged.length === steps.length) {
      await deleteRow(transaction, row);
      continue;
    }
    // the new first row must contain whole accounts
    if (merged.length > 0) await rewrite(transaction, row, steps.slice(merged.length));
    return reached;
  }
}

function finalAccounts(
  steps: readonly RawStep[],
): ReadonlyMap<Address, RawAccountChange['account']> {
  const final = new Map<Address, RawAccountChange['account']>();
  for (const { slots } of steps) {
    for (const { accounts } of slots) {
      for (const { address, account } of accounts) final.set(address, account);
    }
  }
  return final;
}

async function firstRow(transaction: Transaction<HistoryTables>): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select slot, part, deflated from raw_step
    order by slot, part limit 1`.execute(transaction);
  return rows[0];
}

async function deleteRow(
  transaction: Transaction<HistoryTables>,
  { slot, part }: Row,
): Promise<void> {
  await sql`delete from raw_step
    where slot = ${slot}::int8 and part = ${part}::int4`.execute(transaction);
}

async function rewrite(
  transaction: Transaction<HistoryTables>,
  { slot, part }: Row,
  steps: readonly RawStep[],
): Promise<void> {
  const deflated = new RawStepCodec().encode(steps);
  await sql`update raw_step set deflated = ${deflated}::bytea
    where slot = ${slot}::int8 and part = ${part}::int4`.execute(transaction);
}
