import type { Address, Slot } from '@tidegate/core/base';
import { sql } from 'kysely';
import type { ColumnTypes } from '../schema/columns.ts';
import { stateColumns } from '../schema/event-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

const { wallet, vault } = stateColumns.vaultHolding;
const columns = { wallet, vault } as const satisfies ColumnTypes;

type UnexplainedHoldingsQuery = {
  readonly after: Slot;
  /** Numbers of the event kinds that add and that remove shares of their wallet. */
  readonly buys: readonly number[];
  readonly sells: readonly number[];
  /** Whether a wallet without an earlier balance had no shares. */
  readonly beginsEmpty: boolean;
};

/** A wallet and a vault whose shares it has or had. */
export type HoldingKey = { readonly wallet: Address; readonly vault: Address };

/** Wallets whose shares of a vault changed after a slot by something else than their recorded events. */
export async function readUnexplainedHoldings(
  reader: HistoryReader,
  { after, buys, sells, beginsEmpty }: UnexplainedHoldingsQuery,
): Promise<readonly HoldingKey[]> {
  const kinds = (numbers: readonly number[]) => sql`${`{${numbers.join(',')}}`}::int2[]`;
  const rest = sql`from (
    select distinct change.wallet, change.vault
    from (
      select holding.wallet, holding.vault, holding.slot, before.slot as before_slot,
        holding.held + holding.staked - coalesce(before.held + before.staked, 0) as shares
      from vault_holding as holding
      left join lateral (
        select slot, held, staked from vault_holding as earlier
        where earlier.wallet = holding.wallet and earlier.vault = holding.vault
          and earlier.slot < holding.slot
        order by earlier.slot desc limit 1) as before on true
      where holding.slot > ${after}::int8) as change
    where (change.before_slot is not null or ${beginsEmpty}::boolean)
      and change.shares <> coalesce((
        select sum(case when event.kind = any(${kinds(buys)}) then event.shares_amount
          else -event.shares_amount end)
        from vault_event as event
        where event.wallet = change.wallet and event.vault = change.vault
          and event.kind = any(${kinds([...buys, ...sells])})
          and event.slot > coalesce(change.before_slot, -1) and event.slot <= change.slot), 0)
    ) as unexplained`;
  return await readRows(reader, columns, rest);
}
