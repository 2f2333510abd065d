import type { Address } from '@tidegate/core/base';
import { CompiledQuery, type Kysely } from 'kysely';
import { CopyData } from '../embedded/pglite-dialect.ts';
import {
  arrayElementType,
  type ColumnType,
  type ColumnTypes,
  castSuffix,
  isAddressColumn,
  snakeCase,
  toArrayElement,
  toCopyField,
} from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

export type TableInsert = {
  readonly table: string;
  readonly columns: ColumnTypes;
  /** What a row is known by; a row that is there stays, unless `newest`. */
  readonly key: readonly string[];
  /** A row replaces the one that is there if it was taken later. */
  readonly newest?: boolean;
};

export type InsertRow = Readonly<Record<string, unknown>>;

/** Rows by column: for each of the insert's columns as many values as there are rows. */
export type ColumnValues = {
  readonly columns: readonly (readonly unknown[])[];
  readonly idOf: (address: Address) => number;
};

const inserts = new WeakMap<TableInsert, string>();
const copies = new WeakMap<TableInsert, string>();

/** One statement for all of them; no two of them may have the same key. */
export async function insertRows(
  db: Kysely<HistoryTables>,
  insert: TableInsert,
  values: ColumnValues,
): Promise<void> {
  if (isEmpty(values)) return;
  const text = once(inserts, insert, insertText);
  const lists = textsOf(insert, values, toArrayElement).map((texts) => `{${texts.join(',')}}`);
  await db.executeQuery(CompiledQuery.raw(text, lists));
}

/** For rows of which none is there, and for the embedded database only: in less than half of the time. */
export async function copyRows(
  db: Kysely<HistoryTables>,
  insert: TableInsert,
  values: ColumnValues,
): Promise<void> {
  if (isEmpty(values)) return;
  const text = once(copies, insert, copyText);
  const texts = textsOf(insert, values, toCopyField);
  const rows = texts[0]?.map((_, row) => texts.map((column) => column[row]).join('\t')) ?? [];
  await db.executeQuery(CompiledQuery.raw(text, [new CopyData(`${rows.join('\n')}\n`)]));
}

const isEmpty = ({ columns: [first = []] }: ColumnValues): boolean => first.length === 0;

function once(
  known: WeakMap<TableInsert, string>,
  insert: TableInsert,
  make: typeof insertText,
): string {
  const text = known.get(insert) ?? make(insert);
  known.set(insert, text);
  return text;
}

type TextOf = typeof toArrayElement;

function textsOf(insert: TableInsert, { columns, idOf }: ColumnValues, textOf: TextOf): string[][] {
  const kinds: ColumnType[] = Object.values(insert.columns);
  return columns.map((values, place) => {
    const isOfAddresses = isAddressColumn(kinds[place] ?? 'count');
    const numbered = isOfAddresses ? values.map((value) => numberOf(value, idOf)) : values;
    return numbered.map(textOf);
  });
}

function numberOf(value: unknown, idOf: ColumnValues['idOf']): unknown {
  if (Array.isArray(value)) return value.map((address: Address) => idOf(address));
  return typeof value === 'string' ? idOf(value as Address) : null;
}

/** A list per column is sent instead of a parameter per value: much less to parse. */
function insertText({ table, columns, key, newest }: TableInsert): string {
  const entries: [string, ColumnType][] = Object.entries(columns);
  const names = entries.map(([name]) => snakeCase(name));
  const lists = entries.map(([, kind], index) => `$${index + 1}::${arrayElementType(kind)}[]`);
  const values = entries.map(([name, kind]) => `given.${snakeCase(name)}${castSuffix(kind)}`);
  const keyNames = key.map(snakeCase);
  const updates = names
    .filter((name) => !keyNames.includes(name))
    .map((name) => `${name} = excluded.${name}`);
  const conflict = newest
    ? `update set ${updates.join(', ')} where (excluded.slot, excluded.at) > (kept.slot, kept.at)`
    : 'nothing';
  return `insert into ${table} as kept (${names.join(', ')})
    select ${values.join(', ')} from unnest(${lists.join(', ')}) as given (${names.join(', ')})
    on conflict (${keyNames.join(', ')}) do ${conflict}`;
}

const copyText = ({ table, columns }: TableInsert): string =>
  `copy ${table} (${Object.keys(columns).map(snakeCase).join(', ')}) from '/dev/blob'`;
