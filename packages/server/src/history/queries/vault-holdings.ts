import type { Address, UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { type StateRow, stateColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

/** Holdings of a wallet after each change before `to`, in one vault or in all; by vault, oldest first. */
export async function readVaultHoldings(
  reader: HistoryReader,
  subject: { readonly wallet: Address; readonly vault?: Address },
  to: UnixSeconds,
): Promise<readonly StateRow<'vaultHolding'>[]> {
  const where = await addressConditions(reader, subject);
  if (where === undefined) return [];
  const rest = sql`from vault_holding where ${where} and at < ${to}::int8
    order by vault, slot`;
  return await readRows(reader, stateColumns.vaultHolding, rest);
}
