import { type Address, type Slot, toSlot, type UnixSeconds } from '@tidegate/core/base';
import { type Explained, explainStates } from '@tidegate/core/views/transactions';
import { type RawBuilder, sql } from 'kysely';
import { type ColumnTypes, columnName } from '../schema/columns.ts';
import { type HistoryReader, readRows } from './history-reader.ts';
import {
  type Kind,
  loans,
  type PositionKey,
  type PositionKind,
  type StateOf,
  shares,
  stakes,
} from './position-kinds.ts';

export type CheckedPosition = {
  readonly key: PositionKey;
  /** Everything up to the newest state that is not after this slot is explained. */
  readonly after: Slot;
};

/** What the events of a position up to a slot explain. */
export type PositionVerdict = {
  readonly key: PositionKey;
  readonly wallet: Address;
  /** The market, vault or farm; undefined after the only known state was a close. */
  readonly place: Address | undefined;
  /** The newest state that is explained; undefined if there is none. */
  readonly explained: StateTime | undefined;
  /** The newest state. */
  readonly newest: StateTime;
  /** Slots in which it may have changed without a recorded event, newest first. */
  readonly changedSlots: readonly Slot[];
  /** What is not explained; undefined if everything is. */
  readonly difference: string | undefined;
};

type StateTime = { readonly slot: Slot; readonly at: UnixSeconds };

export type ChangesQuery = {
  readonly positions: readonly CheckedPosition[];
  readonly upTo: Slot;
  /** Whether a position without an earlier state was empty before. */
  readonly beginsEmpty: boolean;
  /** How many of the states before the slot are checked again. */
  readonly depth?: number;
  /** Whether only the newest state has to be explained, and not each one on the way. */
  readonly isWhole?: boolean;
};

/** Compares positions of one kind with their events. Positions without any state are left out. */
export async function checkPositions(
  reader: HistoryReader,
  kind: PositionKind,
  query: ChangesQuery,
): Promise<readonly PositionVerdict[]> {
  if (query.positions.length === 0) return [];
  switch (kind) {
    case 'loan':
      return await checkKind(reader, query, loans);
    case 'shares':
      return await checkKind(reader, query, shares);
    case 'stake':
      return await checkKind(reader, query, stakes);
  }
}

const DEFAULT_DEPTH = 1;

async function checkKind<State, Event extends { readonly slot: Slot }>(
  reader: HistoryReader,
  { positions, upTo, beginsEmpty, depth = DEFAULT_DEPTH, isWhole = false }: ChangesQuery,
  kind: Kind<State, Event>,
): Promise<readonly PositionVerdict[]> {
  const subjects = await withIds(reader, positions, kind.addressesOf);
  const { stateTable, isOfSubject } = kind;
  const from = sql`from (select state.* from ${unnest(subjects)}
    cross join lateral (select coalesce(min(slot), 0) as slot from (
      select slot from ${stateTable} as state where ${isOfSubject} and state.slot <= subject.slot
      order by state.slot desc limit ${depth}::int8) as earlier) as opening
    join ${stateTable} as state
      on ${isOfSubject} and state.slot >= opening.slot and state.slot <= ${upTo}::int8) as states
    order by slot`;
  const states = bySubject(await kind.readStates(reader, from));
  const openings = subjects.flatMap((subject) => {
    const first = states.get(subject.name)?.[0];
    if (first === undefined) return [];
    const beganEmpty = beginsEmpty && first.slot > subject.slot;
    return [beganEmpty ? { ...subject, slot: -1n, at: 0n } : { ...subject, ...first }];
  });
  const events = bySubject(await kind.readEvents(reader, unnest(openings), upTo));
  return openings.map(({ key, name, slot }) => {
    const all = states.get(name) ?? [];
    const rows = isWhole ? [...all.slice(0, slot === -1n ? 0 : 1), ...all.slice(-1)] : all;
    const opening = slot === -1n ? [{ slot: toSlot(slot), state: kind.empty }] : [];
    const ordered = (events.get(name) ?? []).map(({ event }) => event);
    const explained = explainStates([...opening, ...rows], ordered, kind.findDifference);
    return verdictOf(key, rows, { ...explained, explained: explained.explained - opening.length });
  });
}

function verdictOf<State>(
  key: PositionKey,
  rows: readonly StateOf<State>[],
  { explained, difference }: Explained,
): PositionVerdict {
  const [newest, last] = [rows.at(-1), explained < 0 ? undefined : rows[explained]];
  if (newest === undefined) throw new Error('a position without a state has no verdict');
  const place = rows.findLast((row) => row.place !== undefined)?.place;
  const changedSlots = rows
    .slice(explained + 1)
    .flatMap(({ slot, touchedAt }) => (touchedAt === undefined ? [slot] : [touchedAt, slot]))
    .reverse();
  return { key, wallet: newest.wallet, place, explained: last, newest, changedSlots, difference };
}

function bySubject<Row extends { readonly subject: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.subject);
    if (group === undefined) groups.set(row.subject, [row]);
    else group.push(row);
  }
  return groups;
}

type Subject = {
  readonly key: PositionKey;
  readonly name: string;
  readonly ids: readonly number[];
  readonly slot: bigint;
  readonly at?: bigint;
};

/** Positions to which no row refers are left out. */
async function withIds(
  { ids }: HistoryReader,
  positions: readonly CheckedPosition[],
  addressesOf: (key: PositionKey) => readonly Address[],
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const { key, after } of positions) {
    const found: number[] = [];
    const addresses = addressesOf(key);
    for (const address of addresses) {
      const id = await ids.findId(address);
      if (id !== undefined) found.push(id);
    }
    if (found.length < addresses.length) continue;
    subjects.push({ key, name: addresses.join(' '), ids: found, slot: after });
  }
  return subjects;
}

/** A table `subject` of positions: their ids `a` and `b`, a slot and a time. */
function unnest(subjects: readonly Omit<Subject, 'key' | 'name'>[]): RawBuilder<unknown> {
  const list = (values: readonly (number | bigint)[]) => `{${values.join(',')}}`;
  const first = list(subjects.map(({ ids }) => ids[0] ?? 0));
  const second = list(subjects.map(({ ids }) => ids[1] ?? 0));
  const slots = list(subjects.map(({ slot }) => slot));
  const times = list(subjects.map(({ at = 0n }) => at));
  return sql`unnest(${first}::int4[], ${second}::int4[], ${slots}::int8[], ${times}::int8[])
    as subject (a, b, slot, at)`;
}

/** Positions with states after a slot. */
export async function readChangedPositions(
  reader: HistoryReader,
  after: Slot,
): Promise<readonly PositionKey[]> {
  const rowsOf = async <Columns extends ColumnTypes>(columns: Columns, table: string) => {
    const names = sql.raw(Object.keys(columns).map(columnName).join(', '));
    const rest = sql`from (select distinct ${names} from ${sql.table(table)}
      where slot > ${after}::int8) as changed`;
    return await readRows(reader, columns, rest);
  };
  const obligations = await rowsOf({ obligation: 'address' }, 'obligation_state');
  const holdings = await rowsOf({ wallet: 'address', vault: 'address' }, 'vault_holding');
  const states = await rowsOf({ userState: 'address' }, 'farm_stake');
  return [
    ...obligations.map(({ obligation: address }) => ({ kind: 'loan' as const, address })),
    ...holdings.map((holding) => ({ kind: 'shares' as const, ...holding })),
    ...states.map(({ userState: address }) => ({ kind: 'stake' as const, address })),
  ];
}
