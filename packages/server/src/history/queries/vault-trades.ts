import type { Address, UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import type { ColumnTypes, OutputRow } from '../schema/columns.ts';
import { eventColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

export type TradesQuery = {
  readonly wallet: Address;
  /** All vaults if omitted. */
  readonly vault?: Address;
  readonly to: UnixSeconds;
};

const { vault, slot, at, tokensPerShare } = eventColumns.vaultEvent;

const rateColumns = { vault, slot, tokensPerShare } as const satisfies ColumnTypes;

/** The rates of a wallet's purchases and sales for tokens before `to`, oldest first. */
export async function readTradeRates(
  reader: HistoryReader,
  { to, ...subject }: TradesQuery,
): Promise<readonly OutputRow<typeof rateColumns>[]> {
  const where = await addressConditions(reader, subject);
  if (where === undefined) return [];
  const rest = sql`from vault_event where ${where} and at < ${to}::int8
    and token_amount is not null and shares_amount is not null and tokens_per_share is not null
    order by at, slot, place, path, leg`;
  return await readRows(reader, rateColumns, rest);
}

const timeColumns = { vault, at } as const satisfies ColumnTypes;

/** A wallet's first event before `to`. */
export async function readFirstTrade(
  reader: HistoryReader,
  { to, ...subject }: TradesQuery,
): Promise<OutputRow<typeof timeColumns> | undefined> {
  const where = await addressConditions(reader, subject);
  if (where === undefined) return undefined;
  const rest = sql`from vault_event where ${where} and at < ${to}::int8
    order by at, slot, place, path, leg limit 1`;
  const [first] = await readRows(reader, timeColumns, rest);
  return first;
}
