import {
  type Address,
  type Ratio,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';

/** What a column holds; `?` where it may hold nothing. Whole numbers and bytes: nothing here is a float. */
export type ColumnType = BaseKind | `${BaseKind}?`;

type BaseKind =
  | 'count'
  | 'seconds'
  | 'slot'
  | 'integer'
  | 'integers'
  /** To 36 decimals, what is beyond them cut off. */
  | 'fraction'
  | 'bytes'
  /** The number of an address, or of a version of a configuration, in their lookup tables. */
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

/** What comes back is what was written, but for a configuration: its number, as many rows share one. */
type Read = Omit<Written, 'config'> & { config: number };

/** As the drivers have it. */
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
  readonly [Name in keyof Given & string as SnakeCase<Name>]: In<Stored, Given[Name]>;
};

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

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

/** The type of one element of the array by which many rows are sent. */
export const arrayElementType = (kind: ColumnType): string => sqlTypes[baseOf(kind)] ?? 'text';

/** Lists cannot be sent in a list: they go as text. */
export const castSuffix = (kind: ColumnType): string => casts[baseOf(kind)] ?? '';

const casts: Readonly<Record<string, string>> = { integers: '::numeric[]', addresses: '::int4[]' };

const FRACTION_UNITS = 10n ** 36n;

/** As it will be read again: whoever goes on from a kept sum goes on from this. */
export const roundToStoredFraction = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: (numerator * FRACTION_UNITS) / denominator,
  denominator: FRACTION_UNITS,
});

/** What goes into the array of a column, in the text form of PostgreSQL. */
export function toArrayElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${hexOf(value)}"`;
  if (Array.isArray(value)) return `"{${value.join(',')}}"`;
  if (isRatio(value)) return String(roundToStoredFraction(value).numerator);
  return String(value);
}

/** The same as a field of `COPY`. */
export function toCopyField(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (value instanceof Uint8Array) return `\\\\x${hexOf(value)}`;
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return toArrayElement(value);
}

const isRatio = (value: unknown): value is Ratio =>
  typeof value === 'object' && value !== null && 'denominator' in value;

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

export type AddressById = (id: number) => Address;

/** From what the drivers have to an exact value; asked for once for each column, as there are many rows. */
export function createValueReader(
  kind: ColumnType,
  addressOf: AddressById,
): (stored: unknown) => unknown {
  const read = readers[baseOf(kind)];
  if (read === undefined) return (stored) => stored;
  return (stored) => (stored === null ? null : read(stored, addressOf));
}

const readers: Readonly<Record<string, (stored: unknown, addressOf: AddressById) => unknown>> = {
  integer: (stored) => BigInt(String(stored)),
  integers: (stored) => (Array.isArray(stored) ? stored.map((text) => BigInt(String(text))) : []),
  fraction: (stored) => ({ numerator: BigInt(String(stored)), denominator: FRACTION_UNITS }),
  addresses: (stored, addressOf) =>
    Array.isArray(stored) ? stored.map((id) => addressOf(Number(id))) : [],
  seconds: (stored) => toUnixSeconds(BigInt(String(stored))),
  slot: (stored) => toSlot(BigInt(String(stored))),
  address: (stored, addressOf) => addressOf(Number(stored)),
};

export const isAddressColumn = (kind: ColumnType): boolean =>
  baseOf(kind) === 'address' || baseOf(kind) === 'addresses';
