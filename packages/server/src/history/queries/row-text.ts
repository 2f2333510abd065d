import { type Address, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import { type ColumnType, FRACTION_UNITS } from '../schema/columns.ts';

/*
 * Rows are read as one text: a line for each row, with its fields separated by tabs. A driver that parses each field and
 * copies each row between threads takes several times as long. No stored value contains a tab or a line break.
 */

const FIELD_SEPARATOR = '\t';
const ROW_SEPARATOR = '\n';

/** Selects the rows of a query as one text, in its order. `rest` is the SQL after the column list. */
export function selectRowText(
  names: readonly string[],
  rest: RawBuilder<unknown>,
): RawBuilder<{ readonly text: string }> {
  const fields = sql.join(
    names.map((name) => sql.ref(name)),
    sql`, ${sql.lit(FIELD_SEPARATOR)}, `,
  );
  // a null adds nothing
  const line = sql`concat(${fields})`;
  return sql`select array_to_string(array(select ${line} ${rest}), ${sql.lit(ROW_SEPARATOR)}) as text`;
}

/** The fields of each row. */
export const splitRowText = (text: string): string[][] =>
  text === '' ? [] : text.split(ROW_SEPARATOR).map((line) => line.split(FIELD_SEPARATOR));

/** The ids in a field of an address column. */
export function addressIdsIn(field: string): readonly number[] {
  if (field === '') return [];
  return field.startsWith('{') ? arrayElements(field).map(Number) : [Number(field)];
}

type AddressById = (id: number) => Address;

/**
 * Converts fields of a column to exact values. Create one reader per column and reuse it for all rows: consecutive rows
 * often have the same value, which is parsed once.
 */
export function createFieldReader(
  kind: ColumnType,
  addressOf: AddressById,
): (field: string) => unknown {
  const parse = parsers[kind.replace('?', '')];
  if (parse === undefined) throw new Error(`no parser for ${kind}`);
  let lastField: string | undefined;
  let lastValue: unknown;
  return (field) => {
    if (field === lastField) return lastValue;
    lastField = field;
    lastValue = field === '' ? null : parse(field, addressOf);
    return lastValue;
  };
}

const parsers: Readonly<Record<string, (field: string, addressOf: AddressById) => unknown>> = {
  count: Number,
  config: Number,
  integer: (field) => BigInt(field),
  integers: (field) => arrayElements(field).map(BigInt),
  fraction: (field) => ({ numerator: BigInt(field), denominator: FRACTION_UNITS }),
  addresses: (field, addressOf) => arrayElements(field).map((id) => addressOf(Number(id))),
  seconds: (field) => toUnixSeconds(BigInt(field)),
  slot: (field) => toSlot(BigInt(field)),
  address: (field, addressOf) => addressOf(Number(field)),
  bytes: (field) => new Uint8Array(Buffer.from(field.slice(HEX_PREFIX.length), 'hex')),
};

/** Of a `bytea` in PostgreSQL's text format. */
const HEX_PREFIX = '\\x';

/** The elements of an array in PostgreSQL's text format, such as `{1,2}`. */
const arrayElements = (field: string): string[] =>
  field === '{}' ? [] : field.slice(1, -1).split(',');
