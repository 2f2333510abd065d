import type { Address } from '@tidegate/core/base';
import { CompiledQuery, type Kysely } from 'kysely';
import { CopyData } from '../embedded/pglite-dialect.ts';
import {
  arrayElementType,
  type ColumnType,
  type ColumnTypes,
  castSuffix,
  columnName,
  isAddressColumn,
  toArrayElement,
  toCopyField,
} from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

export type TableInsert = {
  readonly table: string;
  readonly columns: ColumnTypes;
  /** Unique key. An existing row wins, unless `replacesOlder`. */
  readonly key: readonly string[];
  /** A row replaces an existing row with an older slot or time. */
  readonly replacesOlder?: boolean;
};

export type InsertRow = Readonly<Record<string, unknown>>;

/** Values by column: one list per column of the insert, one element per row. */
export type ColumnValues = {
  readonly columns: readonly (readonly unknown[])[];
  readonly idOf: (address: Address) => number;
};

const insertStatements = new WeakMap<TableInsert, string>();
const copyStatements = new WeakMap<TableInsert, string>();

/** Inserts all rows with one statement. Keys must be unique within the call. */
export async function insertRows(
  db: Kysely<HistoryTables>,
  insert: TableInsert,
  values: ColumnValues,
): Promise<void> {
  if (isEmpty(values)) return;
  const text = memoize(insertStatements, insert, insertText);
  const lists = textsOf(insert, values, toArrayElement).map((texts) => `{${texts.join(',')}}`);
  await db.executeQuery(CompiledQuery.raw(text, lists));
}

/** Inserts rows that do not exist yet, in less than half the time. Embedded database only. */
export async function copyRows(
  db: Kysely<HistoryTables>,
  insert: TableInsert,
  values: ColumnValues,
): Promise<void> {
  if (isEmpty(values)) return;
  const text = memoize(copyStatements, insert, copyText);
  const texts = textsOf(insert, values, toCopyField);
  const rows = texts[0]?.map((_, row) => texts.map((column) => column[row]).join('\t')) ?? [];
  await db.executeQuery(CompiledQuery.raw(text, [new CopyData(`${rows.join('\n')}\n`)]));
}

const isEmpty = ({ columns: [first = []] }: ColumnValues): boolean => first.length === 0;

function memoize(
  cache: WeakMap<TableInsert, string>,
  insert: TableInsert,
  create: typeof insertText,
): string {
  const text = cache.get(insert) ?? create(insert);
  cache.set(insert, text);
  return text;
}

type TextOf = typeof toArrayElement;

function textsOf(insert: TableInsert, { columns, idOf }: ColumnValues, textOf: TextOf): string[][] {
  const kinds: ColumnType[] = Object.values(insert.columns);
  return columns.map((values, index) => {
    const hasAddresses = isAddressColumn(kinds[index] ?? 'count');
    const stored = hasAddresses ? values.map((value) => toAddressIds(value, idOf)) : values;
    return stored.map(textOf);
  });
}

function toAddressIds(value: unknown, idOf: ColumnValues['idOf']): unknown {
  if (Array.isArray(value)) return value.map((address: Address) => idOf(address));
  return typeof value === 'string' ? idOf(value as Address) : null;
}

/** Sends one array per column instead of one parameter per value, which is much less to parse. */
function insertText({ table, columns, key, replacesOlder }: TableInsert): string {
  const entries: [string, ColumnType][] = Object.entries(columns);
  const names = entries.map(([name]) => columnName(name));
  const lists = entries.map(([, kind], index) => `$${index + 1}::${arrayElementType(kind)}[]`);
  const values = entries.map(([name, kind]) => `given.${columnName(name)}${castSuffix(kind)}`);
  const keyNames = key.map(columnName);
  const updates = names
    .filter((name) => !keyNames.includes(name))
    .map((name) => `${name} = excluded.${name}`);
  const conflict = replacesOlder
    ? `update set ${updates.join(', ')} where (excluded.slot, excluded.at) > (kept.slot, kept.at)`
    : 'nothing';
  return `insert into ${table} as kept (${names.join(', ')})
    select ${values.join(', ')} from unnest(${lists.join(', ')}) as given (${names.join(', ')})
    on conflict (${keyNames.join(', ')}) do ${conflict}`;
}

const copyText = ({ table, columns }: TableInsert): string =>
  `copy ${table} (${Object.keys(columns).map(columnName).join(', ')}) from '/dev/blob'`;
