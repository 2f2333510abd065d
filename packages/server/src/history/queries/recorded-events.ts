import type { Address, Slot } from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import type { OutputRow } from '../schema/columns.ts';
import { type EventRow, eventColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';
import {
  comparePositions,
  type EventPosition,
  positionTuple,
  type RecordedPosition,
} from './recorded-position.ts';

/** What events are selected by. */
export type RecordedSubject = {
  readonly kind: 'wallet' | 'vault' | 'market';
  readonly address: Address;
};

type RecordedContent =
  | { readonly table: 'lendingEvent'; readonly row: EventRow<'lendingEvent'> }
  | { readonly table: 'vaultEvent'; readonly row: EventRow<'vaultEvent'> }
  | { readonly table: 'farmEvent'; readonly row: EventRow<'farmEvent'> }
  | { readonly table: 'removed'; readonly signature: Uint8Array; readonly slot: Slot };

/** An event, or the removal of a transaction that was rolled back. */
export type RecordedItem = RecordedContent & {
  readonly position: RecordedPosition & { readonly event: EventPosition };
  /** Whom it concerns, as `subjectName` names them. */
  readonly subjects: ReadonlySet<string>;
};

export const subjectName = ({ kind, address }: RecordedSubject): string => `${kind} ${address}`;

/** The last number; 0 if nothing was recorded since the numbers exist. */
export async function readLastRecorded({ db }: Pick<HistoryReader, 'db'>): Promise<bigint> {
  const { rows } = await sql<{ last: bigint }>`select last from recording_order`.execute(db);
  return rows[0]?.last ?? 0n;
}

/** Everything that was recorded with the numbers in `(after, upTo]`, in order. */
export async function readRecordedItems(
  reader: HistoryReader,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<readonly RecordedItem[]> {
  const isIn = (column: string) =>
    sql`where ${sql.ref(column)} > ${after}::int8 and ${sql.ref(column)} <= ${upTo}::int8`;
  const items = [
    ...(await readLending(reader, isIn('recorded'))).map(lendingItem),
    ...(await readLending(reader, isIn('owner_recorded'))).map(ownerItem),
    ...(await readVaults(reader, isIn('recorded'))).map(vaultItem),
    ...(await readFarms(reader, isIn('recorded'))).map(farmItem),
    ...mergeRemovals(await readRemoved(reader, isIn('recorded'))),
  ];
  return items.sort((a, b) => comparePositions(a.position, b.position));
}

type SubjectQuery = {
  readonly subject: RecordedSubject;
  readonly after: RecordedPosition;
  /** The last number to read. */
  readonly upTo: bigint;
  readonly limit: number;
};

/** The next items of one subject, in order; fewer than `limit` if there are no more. */
export async function readSubjectItems(
  reader: HistoryReader,
  { subject, after, upTo, limit }: SubjectQuery,
): Promise<readonly RecordedItem[]> {
  const where = await addressConditions(reader, { [subject.kind]: subject.address });
  if (where === undefined) return [];
  const next = (order: string): RawBuilder<unknown> => sql`where ${where}
    and (${sql.raw(order)}) > ${positionTuple(after)}
    and ${sql.raw(order.slice(0, order.indexOf(', slot')))} <= ${upTo}::int8
    order by ${sql.raw(order)} limit ${limit}::int8`;
  const isWallet = subject.kind === 'wallet';
  const ownedOrder = `coalesce(owner_recorded, recorded), ${EVENT_ORDER}`;
  const order = `recorded, ${EVENT_ORDER}`;
  const lending = await readLending(reader, next(isWallet ? ownedOrder : order));
  const others =
    subject.kind === 'market'
      ? []
      : [
          ...(await readVaults(reader, next(order))).map(vaultItem),
          ...(await readFarms(reader, next(order))).map(farmItem),
        ];
  const items = [
    ...lending.map((row) =>
      isWallet && row.ownerRecorded !== null ? ownerItem(row) : lendingItem(row),
    ),
    ...others,
    ...mergeRemovals(await readRemoved(reader, next(`recorded, ${REMOVAL_ORDER}`))),
  ];
  // each list has the first ones of its table, so the first ones of all are complete
  return items.sort((a, b) => comparePositions(a.position, b.position)).slice(0, limit);
}

const EVENT_ORDER = 'slot, place, path, leg';
/** A transaction is removed as a whole. */
const REMOVAL_ORDER = 'slot, 0::int4, signature, 0::int4';

const lendingColumns = {
  ...eventColumns.lendingEvent,
  recorded: 'integer',
  ownerRecorded: 'integer?',
} as const;
const vaultColumns = { ...eventColumns.vaultEvent, recorded: 'integer' } as const;
const farmColumns = { ...eventColumns.farmEvent, recorded: 'integer' } as const;
const removedColumns = {
  recorded: 'integer',
  signature: 'bytes',
  slot: 'slot',
  wallet: 'address?',
  market: 'address?',
  vault: 'address?',
} as const;

const readLending = (reader: HistoryReader, rest: RawBuilder<unknown>) =>
  readRows(reader, lendingColumns, sql`from lending_event ${rest}`);
const readVaults = (reader: HistoryReader, rest: RawBuilder<unknown>) =>
  readRows(reader, vaultColumns, sql`from vault_event ${rest}`);
const readFarms = (reader: HistoryReader, rest: RawBuilder<unknown>) =>
  readRows(reader, farmColumns, sql`from farm_event ${rest}`);
const readRemoved = (reader: HistoryReader, rest: RawBuilder<unknown>) =>
  readRows(reader, removedColumns, sql`from removed_event ${rest}`);

type Subjects = Readonly<Partial<Record<RecordedSubject['kind'], Address | null>>>;

function subjectsOf(subjects: Subjects): Set<string> {
  const names = new Set<string>();
  for (const kind of ['wallet', 'vault', 'market'] as const) {
    const address = subjects[kind];
    if (address !== null && address !== undefined) names.add(subjectName({ kind, address }));
  }
  return names;
}

const positionOf = (recorded: bigint, event: EventPosition): RecordedItem['position'] => ({
  recorded,
  event,
});

/** For its wallet it counts as recorded when the wallet was found. */
function lendingItem(row: OutputRow<typeof lendingColumns>): RecordedItem {
  const { wallet, vault, market } = row;
  const subjects = subjectsOf({
    vault,
    market,
    wallet: row.ownerRecorded === null ? wallet : null,
  });
  return { table: 'lendingEvent', row, position: positionOf(row.recorded, row), subjects };
}

function ownerItem(row: OutputRow<typeof lendingColumns>): RecordedItem {
  const position = positionOf(row.ownerRecorded ?? row.recorded, row);
  return { table: 'lendingEvent', row, position, subjects: subjectsOf({ wallet: row.wallet }) };
}

function vaultItem(row: OutputRow<typeof vaultColumns>): RecordedItem {
  const position = positionOf(row.recorded, row);
  return { table: 'vaultEvent', row, position, subjects: subjectsOf(row) };
}

function farmItem({ recorded, ...row }: OutputRow<typeof farmColumns>): RecordedItem {
  const { wallet, vault } = row;
  const subjects = subjectsOf({ wallet, vault });
  return { table: 'farmEvent', row, position: positionOf(recorded, row), subjects };
}

/** One item per transaction, for all whom it concerned. */
function mergeRemovals(rows: readonly OutputRow<typeof removedColumns>[]): readonly RecordedItem[] {
  const items = new Map<string, RecordedItem & { readonly subjects: Set<string> }>();
  for (const { recorded, signature, slot, ...subjects } of rows) {
    const key = `${recorded} ${Buffer.from(signature).toString('base64')}`;
    const known = items.get(key);
    const names = subjectsOf(subjects);
    if (known !== undefined) for (const name of names) known.subjects.add(name);
    else {
      const event = { slot, transactionIndex: 0, path: signature, eventIndex: 0 };
      const position = positionOf(recorded, event);
      items.set(key, { table: 'removed', signature, slot, position, subjects: names });
    }
  }
  return [...items.values()];
}
