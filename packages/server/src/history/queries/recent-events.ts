import type { Address } from '@tidegate/core/base';
import { sql } from 'kysely';
import { type EventRow, eventColumns } from '../schema/event-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

const NEWEST_FIRST = sql.raw('at desc, slot desc, place desc, path desc, leg desc');

const int4List = (numbers: readonly number[]) => sql`${`{${numbers.join(',')}}`}::int4[]`;

/** `kinds` are numbers of event kinds. */
type RecentEventsQuery = { readonly kinds: readonly number[]; readonly limit: number };

/** The newest events of some markets, newest first. An index has those of each market and kind in order. */
export async function readRecentLendingEvents(
  reader: HistoryReader,
  markets: readonly Address[],
  { kinds, limit }: RecentEventsQuery,
): Promise<readonly EventRow<'lendingEvent'>[]> {
  const ids: number[] = [];
  for (const market of markets) ids.push(...[(await reader.ids.findId(market)) ?? []].flat());
  const rest = sql`from unnest(${int4List(ids)}) as wanted_market
    cross join unnest(${int4List(kinds)}) as wanted_kind
    cross join lateral (select * from lending_event
      where market = wanted_market and kind = wanted_kind::int2
      order by ${NEWEST_FIRST} limit ${limit}::int8) as newest
    order by ${NEWEST_FIRST} limit ${limit}::int8`;
  return await readRows(reader, eventColumns.lendingEvent, rest);
}

/** The newest events of all vaults, newest first. */
export async function readRecentVaultEvents(
  reader: HistoryReader,
  { kinds, limit }: RecentEventsQuery,
): Promise<readonly EventRow<'vaultEvent'>[]> {
  const rest = sql`from unnest(${int4List(kinds)}) as wanted_kind
    cross join lateral (select * from vault_event where kind = wanted_kind::int2
      order by ${NEWEST_FIRST} limit ${limit}::int8) as newest
    order by ${NEWEST_FIRST} limit ${limit}::int8`;
  return await readRows(reader, eventColumns.vaultEvent, rest);
}
