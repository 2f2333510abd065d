import { type Kysely, sql } from 'kysely';
import { type HistoryReader, readRows } from '../queries/history-reader.ts';
import { toArrayElement } from '../schema/columns.ts';
import { type EventRow, eventColumns } from '../schema/event-tables.ts';
import type { HistoryTables } from '../schema/tables.ts';

type Database = Kysely<HistoryTables>;

/** Events that were recorded or removed and that hooks watch, oldest first. */
export async function readEventQueue(db: Database, limit: number) {
  return await db.selectFrom('hook_event').selectAll().orderBy('seq').limit(limit).execute();
}

export type QueuedEvent = Awaited<ReturnType<typeof readEventQueue>>[number];

/** All events of some transactions. */
export type TransactionEvents = {
  readonly lendingEvent: readonly EventRow<'lendingEvent'>[];
  readonly vaultEvent: readonly EventRow<'vaultEvent'>[];
  readonly farmEvent: readonly EventRow<'farmEvent'>[];
};

export async function readTransactionEvents(
  reader: HistoryReader,
  signatures: readonly Uint8Array[],
): Promise<TransactionEvents> {
  const list = `{${signatures.map(toArrayElement).join(',')}}`;
  const where = sql`where signature = any(${list}::bytea[])`;
  return {
    lendingEvent: await readRows(
      reader,
      eventColumns.lendingEvent,
      sql`from lending_event ${where}`,
    ),
    vaultEvent: await readRows(reader, eventColumns.vaultEvent, sql`from vault_event ${where}`),
    farmEvent: await readRows(reader, eventColumns.farmEvent, sql`from farm_event ${where}`),
  };
}
