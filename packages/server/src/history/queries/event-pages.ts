import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import { snakeCase } from '../schema/columns.ts';
import { type EventRow, type EventTable, eventColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

/** By which an event can be looked for. */
type EventSubject = {
  lendingEvent: 'wallet' | 'obligation' | 'reserve' | 'market';
  vaultEvent: 'wallet' | 'vault';
  farmEvent: 'wallet' | 'farm' | 'userState' | 'otherWallet';
};

/** Where an event stands among the others: a page goes on after the last of the one before. */
export type EventCursor = {
  readonly at: UnixSeconds;
  readonly slot: Slot;
  readonly place: number;
  readonly path: Uint8Array;
  readonly leg: number;
};

export type EventsQuery<Table extends EventTable> = EventPageQuery<Table> & {
  readonly of: EventSubject[Table];
  readonly address: Address;
};

export type EventPageQuery<Table extends EventTable> = {
  readonly table: Table;
  /** By their numbers; all where it is left out. */
  readonly kinds?: readonly number[] | undefined;
  /** Times in `[from, to)`. */
  readonly from?: UnixSeconds;
  readonly to?: UnixSeconds;
  readonly order: 'oldest first' | 'newest first';
  readonly after?: EventCursor;
  readonly limit: number;
};

const PLACE = sql.raw('at, slot, place, path, leg');
const KIND = sql.raw('kind');
/**
 * Of any subject but a market there are few events, of a kind there are those of everybody: a planner without
 * statistics, as the embedded database has none, would look up both.
 */
const KIND_UNINDEXED = sql.raw('kind::int4');
const PLACE_BACKWARDS = sql.raw('at desc, slot desc, place desc, path desc, leg desc');

/** A page of the events of one wallet, loan, reserve, vault or farm. */
export async function readEventPage<Table extends EventTable>(
  reader: HistoryReader,
  ask: EventsQuery<Table>,
): Promise<readonly EventRow<Table>[]> {
  const where = await addressConditions(reader, { [ask.of]: ask.address });
  if (where === undefined) return [];
  return await readPage(reader, ask, { where, kind: ask.of === 'market' ? KIND : KIND_UNINDEXED });
}

/** A page of the events of everybody. */
export async function readGlobalEventPage<Table extends EventTable>(
  reader: HistoryReader,
  ask: EventPageQuery<Table>,
): Promise<readonly EventRow<Table>[]> {
  return await readPage(reader, ask, { where: sql`true`, kind: KIND });
}

/** Read at once; what is longer comes in several pages. */
const PAGE_ROWS = 1_000;

/** All events of one subject in a range, in pages. */
export async function* readEventPages<Table extends EventTable>(
  reader: HistoryReader,
  ask: Omit<EventsQuery<Table>, 'limit'>,
): AsyncGenerator<readonly EventRow<Table>[]> {
  let after: EventCursor | undefined = ask.after;
  do {
    const page = { ...ask, limit: PAGE_ROWS, ...(after && { after }) };
    const rows = await readEventPage<Table>(reader, page);
    if (rows.length > 0) yield rows;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  } while (after !== undefined);
}

/** Whose events, and how their kind is compared. */
type Scope = { readonly where: RawBuilder<unknown>; readonly kind: RawBuilder<unknown> };

async function readPage<Table extends EventTable>(
  reader: HistoryReader,
  ask: EventPageQuery<Table>,
  { where, kind }: Scope,
): Promise<readonly EventRow<Table>[]> {
  const { table, order, limit, kinds } = ask;
  const all = [where, ...(kinds ? [isOneOf(kind, kinds)] : []), ...bounds(ask)];
  const conditions = sql.join(all, sql` and `);
  const orderBy = order === 'oldest first' ? PLACE : PLACE_BACKWARDS;
  const rest = sql`from ${sql.table(snakeCase(table))} where ${conditions}
    order by ${orderBy} limit ${limit}::int8`;
  return await readRows(reader, eventColumns[table], rest);
}

function bounds({ from, to, after, order }: EventPageQuery<EventTable>): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (from !== undefined) conditions.push(sql`at >= ${from}::int8`);
  if (to !== undefined) conditions.push(sql`at < ${to}::int8`);
  if (after !== undefined) {
    const { at, slot, place, path, leg } = after;
    const isBeyond = sql.raw(order === 'oldest first' ? '>' : '<');
    conditions.push(sql`(${PLACE}) ${isBeyond}
      (${at}::int8, ${slot}::int8, ${place}::int4, ${path}::bytea, ${leg}::int4)`);
  }
  return conditions;
}

/** One alone is asked for so that an index has the rest in order. */
const isOneOf = (kind: Scope['kind'], kinds: readonly number[]): RawBuilder<unknown> =>
  kinds.length === 1
    ? sql`${kind} = ${kinds[0]}::int2`
    : sql`${kind} = any(${`{${kinds.join(',')}}`}::int4[])`;
