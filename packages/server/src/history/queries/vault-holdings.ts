import type { Address, UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { type StateRow, stateColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

/** What a wallet held of one vault, or of all of them, after each change before `to`; by vault, oldest first. */
export async function readVaultHoldings(
  reader: HistoryReader,
  of: { readonly wallet: Address; readonly vault?: Address },
  to: UnixSeconds,
): Promise<readonly StateRow<'vaultHolding'>[]> {
  const where = await addressConditions(reader, of);
  if (where === undefined) return [];
  const rest = sql`from vault_holding where ${where} and at < ${to}::int8
    order by vault, slot`;
  return await readRows(reader, stateColumns.vaultHolding, rest);
}
