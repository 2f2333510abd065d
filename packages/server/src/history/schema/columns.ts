import type { Address, Ratio, Slot, UnixSeconds } from '@tidegate/core/base';

/** The value type of a column; `?` marks a nullable column. No column holds a float. */
export type ColumnType = BaseKind | `${BaseKind}?`;

type BaseKind =
  | 'count'
  | 'seconds'
  | 'slot'
  | 'integer'
  | 'integers'
  /** Truncated to 36 decimals. */
  | 'fraction'
  | 'bytes'
  /** An id in the lookup table of addresses or of configuration versions. */
  | 'address'
  | 'addresses'
  | 'config';

export type ColumnTypes = Readonly<Record<string, ColumnType>>;

type Written = {
  count: number;
  seconds: UnixSeconds;
  slot: Slot;
  integer: bigint;
  integers: readonly bigint[];
  fraction: Ratio;
  bytes: Uint8Array;
  address: Address;
  addresses: readonly Address[];
  config: Uint8Array;
};

/** The same values as written, except that a configuration is returned as its id, because many rows share one. */
type Read = Omit<Written, 'config'> & { config: number };

/** Values as the database drivers return them. */
type Stored = {
  count: number;
  seconds: bigint;
  slot: bigint;
  integer: string;
  integers: readonly string[];
  fraction: string;
  bytes: Uint8Array;
  address: number;
  addresses: readonly number[];
  config: number;
};

type In<
  Values,
  Kind extends ColumnType,
> = Kind extends `${infer Base extends keyof Values & string}?`
  ? Values[Base] | null
  : Kind extends keyof Values
    ? Values[Kind]
    : never;

export type InputRow<Given extends ColumnTypes> = {
  readonly [Name in keyof Given]: In<Written, Given[Name]>;
};
export type OutputRow<Given extends ColumnTypes> = {
  readonly [Name in keyof Given]: In<Read, Given[Name]>;
};
export type DriverRow<Given extends ColumnTypes> = {
  readonly [Name in keyof Given & string as ColumnName<Name>]: In<Stored, Given[Name]>;
};

/** Columns whose SQL name is not the property name in snake case. Released migrations created these names. */
const columnNames = { transactionIndex: 'place', eventIndex: 'leg' } as const;

type ColumnNames = typeof columnNames;

type ColumnName<Property extends string> = Property extends keyof ColumnNames
  ? ColumnNames[Property]
  : SnakeCase<Property>;

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The SQL name of the column that stores a property. */
export const columnName = (property: string): string =>
  Object.hasOwn(columnNames, property)
    ? columnNames[property as keyof ColumnNames]
    : snakeCase(property);

const baseOf = (kind: ColumnType): string => kind.replace('?', '');

const sqlTypes: Readonly<Record<string, string>> = {
  count: 'int4',
  seconds: 'int8',
  slot: 'int8',
  integer: 'numeric',
  integers: 'text',
  fraction: 'numeric',
  bytes: 'bytea',
  address: 'int4',
  addresses: 'text',
  config: 'int4',
};

/** The SQL type of an element in the array parameter that carries a column's values. */
export const arrayElementType = (kind: ColumnType): string => sqlTypes[baseOf(kind)] ?? 'text';

/** Array values travel as text inside the array parameter, so they need a cast. */
export const castSuffix = (kind: ColumnType): string => casts[baseOf(kind)] ?? '';

const casts: Readonly<Record<string, string>> = { integers: '::numeric[]', addresses: '::int4[]' };

/** A fraction is stored as this many parts of one. */
export const FRACTION_UNITS = 10n ** 36n;

/** The value that a later read returns. Running totals continue from this value, so that a restart changes nothing. */
export const roundToStoredFraction = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: (numerator * FRACTION_UNITS) / denominator,
  denominator: FRACTION_UNITS,
});

/** An array element in PostgreSQL's text format. */
export function toArrayElement(value: unknown): string {
  // most values
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${hexOf(value)}"`;
  if (Array.isArray(value)) return `"{${value.join(',')}}"`;
  if (isRatio(value)) return String(roundToStoredFraction(value).numerator);
  return String(value);
}

/** A field in the text format of `COPY`. */
export function toCopyField(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (value === null || value === undefined) return '\\N';
  if (value instanceof Uint8Array) return `\\\\x${hexOf(value)}`;
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return toArrayElement(value);
}

const isRatio = (value: unknown): value is Ratio =>
  typeof value === 'object' && value !== null && 'denominator' in value;

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

export const isAddressColumn = (kind: ColumnType): boolean =>
  baseOf(kind) === 'address' || baseOf(kind) === 'addresses';
