import type { Address } from '@tidegate/core/base';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { AddressIds } from '../ids/address-ids.ts';
import {
  type ColumnTypes,
  columnName,
  createValueReader,
  isAddressColumn,
  type OutputRow,
} from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** Context of every query. It caches address ids, so share one instance. */
export type HistoryReader = { readonly db: Kysely<HistoryTables>; readonly ids: AddressIds };

export const createHistoryReader = (db: Kysely<HistoryTables>): HistoryReader => ({
  db,
  ids: new AddressIds(db),
});

type Stored = Readonly<Record<string, unknown>>;

/** Selects rows as exact values. `rest` is the SQL after the column list. */
export async function readRows<Given extends ColumnTypes>(
  { db, ids }: HistoryReader,
  columns: Given,
  rest: RawBuilder<unknown>,
): Promise<OutputRow<Given>[]> {
  const entries = Object.entries(columns);
  const names = sql.join(entries.map(([name]) => sql.ref(columnName(name))));
  const { rows } = await sql<Stored>`select ${names} ${rest}`.execute(db);
  const fields = entries.map(([name, kind]) => ({ name, kind, stored: columnName(name) }));
  const addressFields = fields.filter(({ kind }) => isAddressColumn(kind));
  const addressOf = await ids.getAddresses(
    addressFields.flatMap(({ stored }) => rows.flatMap((row) => row[stored]).filter(isNumber)),
  );
  const readers = fields.map(({ name, kind, stored }) => {
    return { name, stored, read: createValueReader(kind, addressOf) };
  });
  return rows.map((row) => {
    const values: Record<string, unknown> = {};
    for (const { name, stored, read } of readers) values[name] = read(row[stored]);
    return values as OutputRow<Given>;
  });
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

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
