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

/** What an instruction may do with an account: bit 0 write, bit 1 its signature is there. */
export const READ = 0;
export const WRITE = 1;
export const SIGN = 2;
export const SIGN_WRITE = 3;

export type Role = 0 | 1 | 2 | 3;

export type AccountMeta = { readonly address: Address; readonly role: Role };

/** One call of a program, in the shape that `@solana/kit` uses. */
export type Instruction = {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};

/** An account of an instruction. An absent optional one is written as the program's own id, read-only. */
type Slot = { readonly role: Role; readonly optional: boolean };

export const read: RequiredSlot = { role: READ, optional: false };
export const write: RequiredSlot = { role: WRITE, optional: false };
export const sign: RequiredSlot = { role: SIGN, optional: false };
export const signWrite: RequiredSlot = { role: SIGN_WRITE, optional: false };
export const optionalRead: OptionalSlot = { role: READ, optional: true };
export const optionalWrite: OptionalSlot = { role: WRITE, optional: true };

type RequiredSlot = Slot & { readonly optional: false };
type OptionalSlot = Slot & { readonly optional: true };

export type InstructionAccountRoles = { readonly [name: string]: Slot };

type NamedAccounts<A extends InstructionAccountRoles> = {
  readonly [Name in keyof A]: A[Name] extends OptionalSlot ? Address | undefined : Address;
};

/** A list behind the arguments: a count, then that many items. An optional last argument is one of at most one. */
export type ListLayout = {
  readonly count: typeof u8 | typeof u32 | typeof u64;
  readonly item: Field<unknown>;
};

export type InstructionDefinition<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
> = {
  readonly name: string;
  /** The first bytes of the data, in hex. */
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
  /** Behind the named ones, in the order the instruction asks for. */
  readonly remaining?: readonly AccountMeta[];
} & (L extends undefined ? { readonly list?: undefined } : { readonly list: ListItems<L> });

/** An instruction as it was found in a transaction, its parts named. */
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

/** One instruction of a program, both ways: `build` for those who act, `decode` for those who read. */
export type InstructionCodec<
  A extends InstructionAccountRoles = InstructionAccountRoles,
  S extends Shape = Shape,
  L extends ListLayout | undefined = ListLayout | undefined,
> = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  /** What it asks of its named accounts, in order. */
  readonly slots: A;
  build(program: Address, call: InstructionCall<A, S, L>): Instruction;
  /** Refuses other first bytes, data that is cut short, and too few accounts. */
  decode(program: Address, found: RawInstruction): DecodedInstruction<A, S, L>;
};

export type RawInstruction = { readonly data: Uint8Array; readonly accounts: readonly Address[] };

export function instruction<
  const A extends InstructionAccountRoles,
  const S extends Shape,
  const L extends ListLayout | undefined = undefined,
>(facts: InstructionDefinition<A, S, L>): InstructionCodec<A, S, L> {
  const discriminator = bytesFromHex(facts.discriminator);
  const args = struct(facts.args);
  const slots = Object.entries(facts.accounts);
  const argsEnd = discriminator.length + args.size;

  function encodeData(call: InstructionCall<A, S, L>): Uint8Array {
    const data = new Uint8Array(argsEnd);
    data.set(discriminator);
    args.encode(new DataView(data.buffer), discriminator.length, call.args);
    return facts.list === undefined
      ? data
      : concatBytes([data, encodeList(facts.list, call.list ?? [])]);
  }

  return {
    name: facts.name,
    discriminator,
    slots: facts.accounts,
    build(program, call) {
      const named: Readonly<Record<string, Address | undefined>> = call.accounts;
      const metas = slots.map(([name, slot]): AccountMeta => {
        const address = named[name];
        return address === undefined ? absent(program, name, slot) : { address, role: slot.role };
      });
      return {
        programAddress: program,
        accounts: [...metas, ...(call.remaining ?? [])],
        data: encodeData(call),
      };
    },
    decode(program, { data, accounts }) {
      const start = data.subarray(0, discriminator.length);
      if (!bytesEqual(start, discriminator)) throw malformed(facts.name, 'other first bytes');
      if (data.length < argsEnd) throw malformed(facts.name, 'its data is cut short');
      if (accounts.length < slots.length) throw malformed(facts.name, 'accounts are missing');
      const source = new DataView(data.buffer, data.byteOffset, data.length);
      const list = decodeTail(facts, source, argsEnd);
      return {
        name: facts.name,
        accounts: nameAccounts(slots, accounts, program) as NamedAccounts<A>,
        args: args.decode(source, discriminator.length),
        list: list as ListItems<L>,
        remaining: accounts.slice(slots.length),
      };
    },
  };
}

function absent(program: Address, name: string, slot: Slot): AccountMeta {
  if (slot.optional) return { address: program, role: READ };
  throw new CodedError('MALFORMED_DATA', { what: 'instruction', reason: `${name} is missing` });
}

function nameAccounts(
  slots: readonly (readonly [string, Slot])[],
  accounts: readonly Address[],
  program: Address,
): Record<string, Address | undefined> {
  return Object.fromEntries(
    slots.map(([name, slot], i) => {
      const address = accounts[i];
      return [name, slot.optional && address === program ? undefined : address];
    }),
  );
}

function encodeList({ count, item }: ListLayout, items: readonly unknown[]): Uint8Array {
  const data = new Uint8Array(count.size + items.length * item.size);
  const target = new DataView(data.buffer);
  if (count.size === u8.size) u8.encode(target, 0, items.length);
  else if (count.size === u32.size) u32.encode(target, 0, items.length);
  else u64.encode(target, 0, BigInt(items.length));
  items.forEach((value, i) => {
    item.encode(target, count.size + i * item.size, value);
  });
  return data;
}

/** The list, if there is one. Bytes behind what an instruction reads are ignored, as the programs do. */
function decodeTail(
  facts: { readonly name: string; readonly list?: ListLayout | undefined },
  source: DataView,
  start: number,
): readonly unknown[] | undefined {
  if (facts.list === undefined) return undefined;
  const { count, item } = facts.list;
  const room = source.byteLength - start - count.size;
  const items = room < 0 ? 0 : Number(count.decode(source, start));
  if (room < 0 || room < items * item.size) throw malformed(facts.name, 'its list is cut short');
  return Array.from({ length: items }, (_, i) =>
    item.decode(source, start + count.size + i * item.size),
  );
}

function malformed(name: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: `${name} instruction`, reason });
}
