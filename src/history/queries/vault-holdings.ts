import { sql } from 'kysely';
import type { Address } from '../../base/address.ts';
import type { UnixSeconds } from '../../base/time.ts';
import { type StateRow, stateColumns } from '../event-tables.ts';
import { type HistoryReader, readRows, whereAddresses } from './reader.ts';

/** What a wallet held of one vault, or of all of them, after each change before `to`; by vault, oldest first. */
export async function readHoldings(
  reader: HistoryReader,
  of: { readonly wallet: Address; readonly vault?: Address },
  to: UnixSeconds,
): Promise<readonly StateRow<'vaultHolding'>[]> {
  const where = await whereAddresses(reader, of);
  if (where === undefined) return [];
  const rest = sql`from vault_holding where ${where} and at < ${to}::int8
    order by vault, slot`;
  return await readRows(reader, stateColumns.vaultHolding, rest);
}
