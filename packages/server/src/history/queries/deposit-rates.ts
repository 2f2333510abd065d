import { type Address, DAY_SECONDS, type UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { vaultEventKinds } from '../event-kinds.ts';
import { type EventRow, eventColumns } from '../schema/event-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

/** A deposit into a vault, whose rate is the share price of its time. */
export type DepositRate = EventRow<'vaultEvent'>;

/** A deposit this much before a time still tells its share price, as an estimate. */
export const MAX_DEPOSIT_AGE = 2n * DAY_SECONDS;

/** Withdrawals may contain a penalty. */
const depositKinds = [vaultEventKinds.indexOf('deposit'), vaultEventKinds.indexOf('buy')];

/** A smaller purchase is rounded by more than a millionth. */
const MIN_SHARES = 1_000_000n;

/** The last deposit into each vault in `[from, to]`. */
export async function readDepositRates(
  reader: HistoryReader,
  vaults: readonly Address[],
  { from, to }: { readonly from: UnixSeconds; readonly to: UnixSeconds },
): Promise<readonly DepositRate[]> {
  const ids: number[] = [];
  for (const vault of vaults) {
    const id = await reader.ids.findId(vault);
    if (id !== undefined) ids.push(id);
  }
  const one = sql`select * from vault_event
    where vault = wanted.id and at >= ${from}::int8 and at <= ${to}::int8
    and kind::int4 in (${sql.join(depositKinds)})
    and tokens_per_share is not null and shares_amount >= ${MIN_SHARES}::numeric
    order by at desc limit 1`;
  const rest = sql`from unnest(${`{${ids.join(',')}}`}::int4[]) as wanted (id)
    cross join lateral (${one}) as found`;
  return await readRows(reader, eventColumns.vaultEvent, rest);
}
