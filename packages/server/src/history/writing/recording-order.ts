import { type Kysely, sql, type Transaction } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';

/** Not a part of the history: it stays when the history is deleted, so that no number is used twice. */
export const RECORDING_ORDER_TABLE = 'recording_order';

/**
 * The next number in the order of recording. The row stays locked until the transaction ends, so that numbers become
 * visible in their order: who has seen a number misses none before it.
 */
export async function nextRecordingNumber(
  transaction: Transaction<HistoryTables>,
): Promise<bigint> {
  const { rows } = await sql<{ last: bigint }>`insert into recording_order as stored (last)
    values (1) on conflict (only_row) do update set last = stored.last + 1
    returning last`.execute(transaction);
  return rows[0]?.last ?? 1n;
}

/** The subjects of each removed event by which it can be found. Call it before the events are deleted. */
export async function recordRemoval(
  transaction: Transaction<HistoryTables>,
  signatures: string,
  recorded: bigint,
): Promise<void> {
  await sql`insert into removed_event (recorded, signature, slot, wallet, market, vault)
    select distinct ${recorded}::int8, signature, slot, wallet, market, vault from (
      select signature, slot, wallet, market, vault from lending_event
      union all select signature, slot, wallet, null, vault from vault_event
      union all select signature, slot, wallet, null, vault from farm_event
    ) as event where signature = any(${signatures}::bytea[])`.execute(transaction);
}

const EVENT_TABLES = ['lending_event', 'vault_event', 'farm_event'];

/** Call it before events are deleted to be derived again. After an interruption, the first numbers count. */
export async function saveRecordingNumbers(db: Kysely<HistoryTables>): Promise<void> {
  for (const table of EVENT_TABLES) {
    const owner = sql.raw(table === 'lending_event' ? 'owner_recorded' : 'null');
    await sql`insert into replayed_event (signature, path, leg, recorded, owner_recorded)
      select signature, path, leg, recorded, ${owner}::int8 from ${sql.table(table)}
      on conflict do nothing`.execute(db);
  }
}

/** Gives derived events the numbers that they had, so that no client gets one again. Others keep their new numbers. */
export async function restoreRecordingNumbers(db: Kysely<HistoryTables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of EVENT_TABLES) {
      const owner = sql.raw(
        table === 'lending_event' ? ', owner_recorded = saved.owner_recorded' : '',
      );
      await sql`update ${sql.table(table)} as event set recorded = saved.recorded ${owner}
        from replayed_event as saved where event.signature = saved.signature
          and event.path = saved.path and event.leg = saved.leg`.execute(transaction);
    }
    await sql`delete from replayed_event`.execute(transaction);
  });
}
