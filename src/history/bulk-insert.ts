import { CompiledQuery, type Kysely } from 'kysely';
import type { Address } from '../base/address.ts';
import {
  type ColumnKind,
  type Columns,
  castOf,
  isAddress,
  sentText,
  sentType,
  snakeCase,
} from './columns.ts';
import type { Tables } from './schema.ts';

export type Insert = {
  readonly table: string;
  readonly columns: Columns;
  /** What a row is known by; a row that is there stays, unless `newest`. */
  readonly key: readonly string[];
  /** A row replaces the one that is there if it was taken later. */
  readonly newest?: boolean;
};

export type Row = Readonly<Record<string, unknown>>;

export type Rows = {
  readonly rows: readonly Row[];
  readonly idOf: (address: Address) => number;
};

const texts = new WeakMap<Insert, string>();

/** All rows in one statement. No two of them may have the same key. */
export async function insertRows(
  db: Kysely<Tables>,
  insert: Insert,
  { rows, idOf }: Rows,
): Promise<void> {
  if (rows.length === 0) return;
  let text = texts.get(insert);
  if (text === undefined) {
    text = textOf(insert);
    texts.set(insert, text);
  }
  const lists = Object.entries(insert.columns).map(([name, kind]) => {
    const sent = isAddress(kind) ? sentId(idOf) : sentText;
    return `{${rows.map((row) => sent(row[name])).join(',')}}`;
  });
  await db.executeQuery(CompiledQuery.raw(text, lists));
}

const sentId =
  (idOf: Rows['idOf']) =>
  (value: unknown): string => {
    if (Array.isArray(value))
      return `"{${value.map((address: Address) => idOf(address)).join(',')}}"`;
    return typeof value === 'string' ? String(idOf(value as Address)) : 'NULL';
  };

/** A list per column is sent instead of a parameter per value: much less to parse. */
function textOf({ table, columns, key, newest }: Insert): string {
  const entries: [string, ColumnKind][] = Object.entries(columns);
  const names = entries.map(([name]) => snakeCase(name));
  const lists = entries.map(([, kind], index) => `$${index + 1}::${sentType(kind)}[]`);
  const values = entries.map(([name, kind]) => `given.${snakeCase(name)}${castOf(kind)}`);
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
