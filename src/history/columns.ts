import type { Address } from '../base/address.ts';
import { type Slot, toSlot, toUnixSeconds, type UnixSeconds } from '../base/time.ts';

/** What a column holds; `?` where it may hold nothing. Whole numbers and bytes: nothing here is a float. */
export type ColumnKind = BaseKind | `${BaseKind}?`;

type BaseKind =
  | 'count'
  | 'seconds'
  | 'slot'
  | 'integer'
  | 'integers'
  | 'bytes'
  /** The number of an address, or of a version of a configuration, in their lookup tables. */
  | 'address'
  | 'config';

export type Columns = Readonly<Record<string, ColumnKind>>;

type Written = {
  count: number;
  seconds: UnixSeconds;
  slot: Slot;
  integer: bigint;
  integers: readonly bigint[];
  bytes: Uint8Array;
  address: Address;
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
  bytes: Uint8Array;
  address: number;
  config: number;
};

type In<
  Values,
  Kind extends ColumnKind,
> = Kind extends `${infer Base extends keyof Values & string}?`
  ? Values[Base] | null
  : Kind extends keyof Values
    ? Values[Kind]
    : never;

export type WrittenRow<Given extends Columns> = {
  readonly [Name in keyof Given]: In<Written, Given[Name]>;
};
export type ReadRow<Given extends Columns> = {
  readonly [Name in keyof Given]: In<Read, Given[Name]>;
};
export type StoredRow<Given extends Columns> = {
  readonly [Name in keyof Given & string as SnakeCase<Name>]: In<Stored, Given[Name]>;
};

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const baseOf = (kind: ColumnKind): string => kind.replace('?', '');

const sqlTypes: Readonly<Record<string, string>> = {
  count: 'int4',
  seconds: 'int8',
  slot: 'int8',
  integer: 'numeric',
  integers: 'text',
  bytes: 'bytea',
  address: 'int4',
  config: 'int4',
};

/** The type of one element of the array by which many rows are sent. */
export const sentType = (kind: ColumnKind): string => sqlTypes[baseOf(kind)] ?? 'text';

/** Lists cannot be sent in a list: they go as text. */
export const castOf = (kind: ColumnKind): string =>
  baseOf(kind) === 'integers' ? '::numeric[]' : '';

/** What goes into the array of a column, in the text form of PostgreSQL. */
export function sentText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${hexOf(value)}"`;
  if (Array.isArray(value)) return `"{${value.join(',')}}"`;
  return String(value);
}

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

export type Addresses = (id: number) => Address;

/** From what the drivers have to exact values. */
export function readValue(kind: ColumnKind, stored: unknown, addressOf: Addresses): unknown {
  if (stored === null) return null;
  switch (baseOf(kind)) {
    case 'integer':
      return BigInt(String(stored));
    case 'integers':
      return Array.isArray(stored) ? stored.map((text) => BigInt(String(text))) : [];
    case 'seconds':
      return toUnixSeconds(BigInt(String(stored)));
    case 'slot':
      return toSlot(BigInt(String(stored)));
    case 'address':
      return addressOf(Number(stored));
    default:
      return stored;
  }
}

export const isAddress = (kind: ColumnKind): boolean => baseOf(kind) === 'address';
