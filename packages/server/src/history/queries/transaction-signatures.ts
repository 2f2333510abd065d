import { type Slot, toSlot } from '@tidegate/core/base';
import { type Kysely, sql } from 'kysely';
import { sentText } from '../schema/columns.ts';
import type { Tables } from '../schema/tables.ts';

export type KnownTransaction = { readonly signature: Uint8Array; readonly slot: Slot };

/** Those of the given signatures that are kept, with the slots that they are kept with. */
export async function readKnownTransactions(
  db: Kysely<Tables>,
  signatures: readonly Uint8Array[],
): Promise<readonly KnownTransaction[]> {
  if (signatures.length === 0) return [];
  const list = `{${signatures.map(sentText).join(',')}}`;
  return await readTransactions(db, sql`signature = any(${list}::bytea[])`);
}

/** Those of slots after the given one. */
export async function readTransactionsAfter(
  db: Kysely<Tables>,
  slot: Slot,
): Promise<readonly KnownTransaction[]> {
  return await readTransactions(db, sql`slot > ${slot}::int8`);
}

/** Whether there is any of that slot or of one before it. */
export async function hasTransactionsUpTo(db: Kysely<Tables>, slot: Slot): Promise<boolean> {
  const { rows } = await sql`
    select 1 from raw_transaction where slot <= ${slot}::int8 limit 1`.execute(db);
  return rows.length > 0;
}

async function readTransactions(
  db: Kysely<Tables>,
  condition: ReturnType<typeof sql>,
): Promise<readonly KnownTransaction[]> {
  const { rows } = await sql<{ signature: Uint8Array; slot: bigint }>`
    select signature, slot from raw_transaction where ${condition} order by slot, place`.execute(
    db,
  );
  return rows.map(({ signature, slot }) => ({ signature, slot: toSlot(slot) }));
}
