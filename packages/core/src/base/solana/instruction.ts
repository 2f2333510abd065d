import type { Address } from '../encoding/address.ts';
import { bytesEqual, bytesFromHex, concatBytes } from '../encoding/bytes.ts';
import {
  type Decoded,
  type Field,
  type Shape,
  type Struct,
  struct,
  u8,
  u32,
  u64,
} from '../encoding/layout.ts';
import { CodedError } from '../errors.ts';

/** Account role in an instruction: bit 0 is writable, bit 1 is signer. */
export const READ = 0;
export const WRITE = 1;
export const SIGN = 2;
export const SIGN_WRITE = 3;

export type Role = 0 | 1 | 2 | 3;

export type AccountMeta = { readonly address: Address; readonly role: Role };

/** An instruction in the shape of `@solana/kit`. */
export type Instruction = {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};

/** An account parameter of an instruction. An absent optional account is encoded as the read-only program id. */
type AccountParameter = { readonly role: Role; readonly optional: boolean };

export const read: RequiredAccount = { role: READ, optional: false };
export const write: RequiredAccount = { role: WRITE, optional: false };
export const sign: RequiredAccount = { role: SIGN, optional: false };
export const signWrite: RequiredAccount = { role: SIGN_WRITE, optional: false };
export const optionalRead: OptionalAccount = { role: READ, optional: true };
export const optionalWrite: OptionalAccount = { role: WRITE, optional: true };

type RequiredAccount = AccountParameter & { readonly optional: false };
type OptionalAccount = AccountParameter & { readonly optional: true };

export type InstructionAccountRoles = { readonly [name: string]: AccountParameter };

type NamedAccounts<A extends InstructionAccountRoles> = {
  readonly [Name in keyof A]: A[Name] extends OptionalAccount ? Address | undefined : Address;
};

/** The count of a list that ends with the data, for a last argument of variable size. */
export const untilEnd = { size: 0 } as const;

/** A list after the arguments: a count, then the items. An optional last argument is a list of at most one item. */
export type ListLayout = {
  readonly count: typeof u8 | typeof u32 | typeof u64 | typeof untilEnd;
  readonly item: Field<unknown>;
};

export type InstructionDefinition<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
> = {
  readonly name: string;
  /** In hex. */
  readonly discriminator: string;
  readonly accounts: A;
  readonly args: S;
  readonly list?: L;
};

type ListItems<L> = L extends { readonly item: infer Item } ? readonly Decoded<Item>[] : undefined;

type InstructionCall<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
> = {
  readonly accounts: NamedAccounts<A>;
  readonly args: Decoded<Struct<S>>;
  /** Accounts after the named ones, in the order that the instruction requires. */
  readonly remaining?: readonly AccountMeta[];
} & (L extends undefined ? { readonly list?: undefined } : { readonly list: ListItems<L> });

/** An instruction of a transaction with named accounts and arguments. */
export type DecodedInstruction<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
> = {
  readonly name: string;
  readonly accounts: NamedAccounts<A>;
  readonly args: Decoded<Struct<S>>;
  readonly list: ListItems<L>;
  readonly remaining: readonly Address[];
};

/** Builds and decodes one instruction of a program. */
export type InstructionCodec<
  A extends InstructionAccountRoles = InstructionAccountRoles,
  S extends Shape = Shape,
  L extends ListLayout | undefined = ListLayout | undefined,
> = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  /** The roles of the named accounts, in order. */
  readonly accounts: A;
  build(program: Address, call: InstructionCall<A, S, L>): Instruction;
  /** Throws on another discriminator, truncated data or missing accounts. */
  decode(program: Address, raw: RawInstruction): DecodedInstruction<A, S, L>;
};

export type RawInstruction = { readonly data: Uint8Array; readonly accounts: readonly Address[] };

export function instruction<
  const A extends InstructionAccountRoles,
  const S extends Shape,
  const L extends ListLayout | undefined = undefined,
>(definition: InstructionDefinition<A, S, L>): InstructionCodec<A, S, L> {
  const discriminator = bytesFromHex(definition.discriminator);
  const args = struct(definition.args);
  const parameters = Object.entries(definition.accounts);
  const argsEnd = discriminator.length + args.size;

  function encodeData(call: InstructionCall<A, S, L>): Uint8Array {
    const data = new Uint8Array(argsEnd);
    data.set(discriminator);
    args.encode(new DataView(data.buffer), discriminator.length, call.args);
    return definition.list === undefined
      ? data
      : concatBytes([data, encodeList(definition.list, call.list ?? [])]);
  }

  return {
    name: definition.name,
    discriminator,
    accounts: definition.accounts,
    build(program, call) {
      const named: Readonly<Record<string, Address | undefined>> = call.accounts;
      const metas = parameters.map(([name, parameter]): AccountMeta => {
        const address = named[name];
        return address === undefined
          ? absentAccount(program, name, parameter)
          : { address, role: parameter.role };
      });
      return {
        programAddress: program,
        accounts: [...metas, ...(call.remaining ?? [])],
        data: encodeData(call),
      };
    },
    decode(program, { data, accounts }) {
      const start = data.subarray(0, discriminator.length);
      if (!bytesEqual(start, discriminator))
        throw malformed(definition.name, 'its discriminator differs');
      if (data.length < argsEnd) throw malformed(definition.name, 'its data is truncated');
      if (accounts.length < parameters.length)
        throw malformed(definition.name, 'accounts are missing');
      const source = new DataView(data.buffer, data.byteOffset, data.length);
      const list = decodeList(definition, source, argsEnd);
      return {
        name: definition.name,
        accounts: nameAccounts(parameters, accounts, program) as NamedAccounts<A>,
        args: args.decode(source, discriminator.length),
        list: list as ListItems<L>,
        remaining: accounts.slice(parameters.length),
      };
    },
  };
}

function absentAccount(program: Address, name: string, parameter: AccountParameter): AccountMeta {
  if (parameter.optional) return { address: program, role: READ };
  throw new CodedError('MALFORMED_DATA', { what: 'instruction', reason: `${name} is missing` });
}

function nameAccounts(
  parameters: readonly (readonly [string, AccountParameter])[],
  accounts: readonly Address[],
  program: Address,
): Record<string, Address | undefined> {
  return Object.fromEntries(
    parameters.map(([name, parameter], i) => {
      const address = accounts[i];
      return [name, parameter.optional && address === program ? undefined : address];
    }),
  );
}

function encodeList({ count, item }: ListLayout, items: readonly unknown[]): Uint8Array {
  const data = new Uint8Array(count.size + items.length * item.size);
  const target = new DataView(data.buffer);
  if (count.size === u8.size) u8.encode(target, 0, items.length);
  else if (count.size === u32.size) u32.encode(target, 0, items.length);
  else if (count.size === u64.size) u64.encode(target, 0, BigInt(items.length));
  items.forEach((value, i) => {
    item.encode(target, count.size + i * item.size, value);
  });
  return data;
}

/** Decodes the list, if any. Ignores trailing bytes, as the programs do. */
function decodeList(
  definition: { readonly name: string; readonly list?: ListLayout | undefined },
  source: DataView,
  start: number,
): readonly unknown[] | undefined {
  if (definition.list === undefined) return undefined;
  const { count, item } = definition.list;
  const available = source.byteLength - start - count.size;
  const items = available < 0 ? 0 : countItems(definition.list, source, start);
  if (available < 0 || available < items * item.size)
    throw malformed(definition.name, 'its list is truncated');
  return Array.from({ length: items }, (_, i) =>
    item.decode(source, start + count.size + i * item.size),
  );
}

function countItems({ count, item }: ListLayout, source: DataView, start: number): number {
  if ('decode' in count) return Number(count.decode(source, start));
  return Math.floor((source.byteLength - start) / item.size);
}

function malformed(name: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: `${name} instruction`, reason });
}
