import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import { snakeCase } from '../schema/columns.ts';
import { type EventRow, type EventTable, eventColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

/** Columns that events can be filtered by. */
type EventSubject = {
  lendingEvent: 'wallet' | 'obligation' | 'reserve' | 'market' | 'vault';
  vaultEvent: 'wallet' | 'vault';
  farmEvent: 'wallet' | 'farm' | 'managedFarm' | 'userState' | 'otherWallet';
};

/** Position of an event in the page order. The next page starts after the last event of the previous page. */
export type EventCursor = {
  readonly at: UnixSeconds;
  readonly slot: Slot;
  readonly transactionIndex: number;
  readonly path: Uint8Array;
  readonly eventIndex: number;
};

export type EventsQuery<Table extends EventTable> = EventPageQuery<Table> & {
  readonly subject: EventSubject[Table];
  readonly address: Address;
};

export type EventPageQuery<Table extends EventTable> = {
  readonly table: Table;
  /** Numbers of the event kinds; all kinds if omitted. */
  readonly kinds?: readonly number[] | undefined;
  /** Times in `[from, to)`. */
  readonly from?: UnixSeconds;
  readonly to?: UnixSeconds;
  readonly order: 'oldest first' | 'newest first';
  readonly after?: EventCursor;
  readonly limit: number;
};

const EVENT_ORDER = sql.raw('at, slot, place, path, leg');
const KIND = sql.raw('kind');
/**
 * A subject other than a market has few events, but a kind has the events of all wallets. The cast keeps the kind out
 * of the index scan, because the embedded database's planner has no statistics and would scan both indexes.
 */
const KIND_UNINDEXED = sql.raw('kind::int4');
const EVENT_ORDER_DESCENDING = sql.raw('at desc, slot desc, place desc, path desc, leg desc');

/** A page of the events of one wallet, loan, reserve, market, vault or farm. */
export async function readEventPage<Table extends EventTable>(
  reader: HistoryReader,
  query: EventsQuery<Table>,
): Promise<readonly EventRow<Table>[]> {
  const where = await addressConditions(reader, { [query.subject]: query.address });
  if (where === undefined) return [];
  return await readPage(reader, query, {
    where,
    kind: query.subject === 'market' ? KIND : KIND_UNINDEXED,
  });
}

/** A page of all events in a table. */
export async function readGlobalEventPage<Table extends EventTable>(
  reader: HistoryReader,
  query: EventPageQuery<Table>,
): Promise<readonly EventRow<Table>[]> {
  return await readPage(reader, query, { where: sql`true`, kind: KIND });
}

const PAGE_ROWS = 1_000;

/** All events of one subject in a range, page by page. */
export async function* readEventPages<Table extends EventTable>(
  reader: HistoryReader,
  query: Omit<EventsQuery<Table>, 'limit'>,
): AsyncGenerator<readonly EventRow<Table>[]> {
  let after: EventCursor | undefined = query.after;
  do {
    const page = { ...query, limit: PAGE_ROWS, ...(after && { after }) };
    const rows = await readEventPage<Table>(reader, page);
    if (rows.length > 0) yield rows;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  } while (after !== undefined);
}

/** The subject condition, and the SQL expression for the event kind. */
type Scope = { readonly where: RawBuilder<unknown>; readonly kind: RawBuilder<unknown> };

async function readPage<Table extends EventTable>(
  reader: HistoryReader,
  query: EventPageQuery<Table>,
  { where, kind }: Scope,
): Promise<readonly EventRow<Table>[]> {
  const { table, order, limit, kinds } = query;
  const all = [where, ...(kinds ? [isOneOf(kind, kinds)] : []), ...bounds(query)];
  const conditions = sql.join(all, sql` and `);
  const orderBy = order === 'oldest first' ? EVENT_ORDER : EVENT_ORDER_DESCENDING;
  const rest = sql`from ${sql.table(snakeCase(table))} where ${conditions}
    order by ${orderBy} limit ${limit}::int8`;
  return await readRows(reader, eventColumns[table], rest);
}

function bounds({ from, to, after, order }: EventPageQuery<EventTable>): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (from !== undefined) conditions.push(sql`at >= ${from}::int8`);
  if (to !== undefined) conditions.push(sql`at < ${to}::int8`);
  if (after !== undefined) {
    const { at, slot, transactionIndex, path, eventIndex } = after;
    const comparison = sql.raw(order === 'oldest first' ? '>' : '<');
    conditions.push(sql`(${EVENT_ORDER}) ${comparison}
      (${at}::int8, ${slot}::int8, ${transactionIndex}::int4, ${path}::bytea, ${eventIndex}::int4)`);
  }
  return conditions;
}

/** Compares a single kind with `=`, so that the index returns the rows in order. */
const isOneOf = (kind: Scope['kind'], kinds: readonly number[]): RawBuilder<unknown> =>
  kinds.length === 1
    ? sql`${kind} = ${kinds[0]}::int2`
    : sql`${kind} = any(${`{${kinds.join(',')}}`}::int4[])`;
