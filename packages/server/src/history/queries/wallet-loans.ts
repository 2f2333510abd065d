import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import type { Obligation } from '@tidegate/core/protocol/klend/layout';
import { sql } from 'kysely';
import { decodeObligationState } from '../rows/obligation-states.ts';
import { stateColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

/** A loan after a change; undefined after it was closed, and while another wallet owned it. */
export type LoanState = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly loan: Obligation | undefined;
};

/** All loans that a wallet ever had, each with its states before `to`, oldest first. */
export async function readWalletLoans(
  reader: HistoryReader,
  wallet: Address,
  to: UnixSeconds,
): Promise<readonly (readonly LoanState[])[]> {
  const where = await addressConditions(reader, { wallet });
  if (where === undefined) return [];
  // an array, because without statistics the planner would scan the whole table for a join
  const rest = sql`from obligation_state
    where obligation = any(array(select obligation from obligation_state where ${where}))
    and at < ${to}::int8 order by obligation, slot`;
  const rows = await readRows(reader, stateColumns.obligationState, rest);
  const loans = new Map<Address, LoanState[]>();
  for (const row of rows) {
    const loan = row.wallet === wallet ? decodeObligationState(row) : undefined;
    const states = loans.get(row.obligation) ?? [];
    states.push({ slot: row.slot, at: row.at, loan });
    loans.set(row.obligation, states);
  }
  return [...loans.values()];
}
