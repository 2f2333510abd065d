import { type Slot, toSlot } from '@tidegate/core/base';
import { type Kysely, sql } from 'kysely';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

export type TransactionSignature = { readonly signature: Uint8Array; readonly slot: Slot };

/** The given signatures that are stored, each with its stored slot. */
export async function readExistingSignatures(
  db: Kysely<HistoryTables>,
  signatures: readonly Uint8Array[],
): Promise<readonly TransactionSignature[]> {
  if (signatures.length === 0) return [];
  const list = `{${signatures.map(toArrayElement).join(',')}}`;
  return await readTransactions(db, sql`signature = any(${list}::bytea[])`);
}

/** Signatures of transactions after a slot. */
export async function readSignaturesAfter(
  db: Kysely<HistoryTables>,
  slot: Slot,
): Promise<readonly TransactionSignature[]> {
  return await readTransactions(db, sql`slot > ${slot}::int8`);
}

/** Whether any transaction is stored at or before the slot. */
export async function hasTransactionsUntil(
  db: Kysely<HistoryTables>,
  slot: Slot,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from raw_transaction where slot <= ${slot}::int8 limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether any transaction is stored after the slot. */
export async function hasTransactionsAfter(
  db: Kysely<HistoryTables>,
  slot: Slot,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from raw_transaction where slot > ${slot}::int8 limit 1`.execute(db);
  return rows.length > 0;
}

async function readTransactions(
  db: Kysely<HistoryTables>,
  condition: ReturnType<typeof sql>,
): Promise<readonly TransactionSignature[]> {
  const { rows } = await sql<{ signature: Uint8Array; slot: bigint }>`
    select signature, slot from raw_transaction where ${condition} order by slot, place`.execute(
    db,
  );
  return rows.map(({ signature, slot }) => ({ signature, slot: toSlot(slot) }));
}
