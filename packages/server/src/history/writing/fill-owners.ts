import { sql, type Transaction } from 'kysely';
import { lendingEventKinds } from '../event-kinds.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** Their wallet is not the owner of the loan. */
const OTHER_WALLET_KINDS = (['repayForOther', 'liquidate'] as const).map((kind) =>
  lendingEventKinds.indexOf(kind),
);

/**
 * A repayment does not name the owner of the loan. If it is recorded before all other events of a
 * closed loan, its owner is unknown until one of them is recorded: for its owner, it counts as recorded then.
 */
export async function fillOwners(
  transaction: Transaction<HistoryTables>,
  loans: readonly number[],
  recorded: bigint,
): Promise<void> {
  if (loans.length === 0) return;
  const list = `{${loans.toSorted((a, b) => a - b).join(',')}}`;
  const others = `{${OTHER_WALLET_KINDS.join(',')}}`;
  await sql`update lending_event as unowned set wallet = named.wallet,
      owner_recorded = nullif(${recorded}::int8, unowned.recorded)
    from (
      select obligation, min(wallet) as wallet from lending_event
      where obligation = any(${list}::int4[]) and kind <> all(${others}::int2[])
      group by obligation
    ) as named
    where unowned.obligation = named.obligation
      and unowned.wallet is null and named.wallet is not null`.execute(transaction);
}
