import { setImmediate } from 'node:timers/promises';
import type { Address } from '@tidegate/core/base';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { AddressIds } from '../ids/address-ids.ts';
import {
  type ColumnType,
  type ColumnTypes,
  columnName,
  isAddressColumn,
  type OutputRow,
} from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';
import { addressIdsIn, createFieldReader, selectRowText, splitRowText } from './row-text.ts';
import { SampleQueryCache } from './sample-query-cache.ts';

/** Context of every query. It caches address ids and short queries about samples, so share one instance. */
export type HistoryReader = {
  readonly db: Kysely<HistoryTables>;
  readonly ids: AddressIds;
  readonly sampleQueries: SampleQueryCache;
};

export const createHistoryReader = (db: Kysely<HistoryTables>): HistoryReader => ({
  db,
  ids: new AddressIds(db),
  sampleQueries: new SampleQueryCache(db),
});

/** Selects rows as exact values. `rest` is the SQL after the column list. */
export async function readRows<Given extends ColumnTypes>(
  { db, ids }: HistoryReader,
  columns: Given,
  rest: RawBuilder<unknown>,
): Promise<OutputRow<Given>[]> {
  const entries = Object.entries(columns);
  const names = entries.map(([name]) => columnName(name));
  const { rows } = await selectRowText(names, rest).execute(db);
  const lines = splitRowText(rows[0]?.text ?? '');
  const addressOf = await ids.getAddresses(addressIdsOf(entries, lines));
  const readers = entries.map(([name, kind], index) => {
    return { name, index, read: createFieldReader(kind, addressOf) };
  });
  const result: OutputRow<Given>[] = [];
  for (const fields of lines) {
    const values: Record<string, unknown> = {};
    for (const { name, index, read } of readers) values[name] = read(fields[index] ?? '');
    result.push(values as OutputRow<Given>);
    if (result.length % ROWS_PER_TURN === 0) await setImmediate();
  }
  return result;
}

/** Other requests get a turn after this many rows. */
const ROWS_PER_TURN = 250;

function addressIdsOf(
  entries: readonly (readonly [name: string, kind: ColumnType])[],
  lines: readonly (readonly string[])[],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, [, kind]] of entries.entries()) {
    if (!isAddressColumn(kind)) continue;
    const distinct = new Set(lines.map((fields) => fields[index] ?? ''));
    for (const field of distinct) for (const id of addressIdsIn(field)) found.add(id);
  }
  return found;
}

/** SQL conditions on address columns; undefined when no row refers to one of the addresses. */
export async function addressConditions(
  { ids }: HistoryReader,
  addresses: Readonly<Record<string, Address>>,
): Promise<RawBuilder<unknown> | undefined> {
  const conditions: RawBuilder<unknown>[] = [];
  for (const [name, address] of Object.entries(addresses)) {
    const id = await ids.findId(address);
    if (id === undefined) return undefined;
    conditions.push(sql`${sql.ref(columnName(name))} = ${id}::int4`);
  }
  return sql.join(conditions, sql` and `);
}
