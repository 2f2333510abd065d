import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, addressFromBytes, addressToBytes } from '#core/base/encoding/address.ts';
import { bytesFromHex, bytesToHex, concatBytes } from '#core/base/encoding/bytes.ts';
import type { Role } from '#core/base/solana/instruction.ts';
import { assertProperty } from '../support/properties/assert-property.ts';
import { type AnyCodec, codecsByProgram, numberedAddress } from '../support/protocol/codecs.ts';
import {
  type AccountSpec,
  codecAccountName,
  publishedInstruction,
  type InstructionSpec as Spec,
} from '../support/protocol/published-instructions.ts';

type Case = { readonly label: string; readonly codec: AnyCodec; readonly spec: Spec };

const cases: Case[] = Object.entries(codecsByProgram).flatMap(([program, codecs]) =>
  codecs.map((codec) => {
    const label = `${program}.${codec.name}`;
    return { label, codec, spec: publishedInstruction(program, codec.name) };
  }),
);

const ROLES: Readonly<Record<AccountSpec['role'], Role>> = {
  READONLY: 0,
  WRITABLE: 1,
  READONLY_SIGNER: 2,
  WRITABLE_SIGNER: 3,
};

const PROGRAM = numberedAddress(999);
const addresses = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);

const unsigned = (bits: number) => fc.bigInt(0n, 2n ** BigInt(bits) - 1n);
const small = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
const plainTypes: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  u8: small(8),
  u16: small(16),
  u32: small(32),
  u64: unsigned(64),
  u128: unsigned(128),
  '[u8; 10]': fc.uint8Array({ minLength: 10, maxLength: 10 }),
  '[u128; 5]': fc.uint8Array({ minLength: 80, maxLength: 80 }),
  UpdateObligationConfigMode: small(8),
  pubkey: addresses,
  '32 bytes': fc.uint8Array({ minLength: 32, maxLength: 32 }),
  bool: small(1),
  ProgressCallbackType: small(1),
  UpdateConfigMode: small(8),
};
const lists: Readonly<
  Record<
    string,
    { readonly count: number; readonly item: fc.Arbitrary<unknown>; readonly size: number }
  >
> = {
  'Vec<u8> (u32 count + u8 each)': { count: 4, item: small(8), size: 1 },
  'Vec<u16> (u32 count + u16 each)': { count: 4, item: small(16), size: 2 },
  'u64 count + 32 bytes each': { count: 8, item: addresses, size: 32 },
  'u64 until the end': { count: 0, item: unsigned(64), size: 8 },
  'u8 until the end': { count: 0, item: small(8), size: 1 },
  'u8 count + 32 bytes each': { count: 1, item: addresses, size: 32 },
};

const SIZES: Readonly<Record<string, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  u128: 16,
  bool: 1,
  UpdateObligationConfigMode: 1,
  ProgressCallbackType: 1,
  UpdateConfigMode: 1,
};

/** An independent encoder as the reference. */
function bytesOf(value: unknown, size: number): Uint8Array {
  if (typeof value === 'string') return addressToBytes(value as Address);
  if (value instanceof Uint8Array) return value;
  let rest = BigInt(value as number | bigint);
  return Uint8Array.from({ length: size }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
}

/** The fields of struct arguments, as in the published interface. */
const structs: Readonly<Record<string, Spec['args']>> = {
  InitObligationArgs: [
    { name: 'tag', type: 'u8' },
    { name: 'id', type: 'u8' },
  ],
  ObligationOrder: [
    { name: 'conditionThresholdSf', type: 'u128' },
    { name: 'opportunityParameterSf', type: 'u128' },
    { name: 'minExecutionBonusBps', type: 'u16' },
    { name: 'maxExecutionBonusBps', type: 'u16' },
    { name: 'conditionType', type: 'u8' },
    { name: 'opportunityType', type: 'u8' },
    { name: 'padding1', type: '[u8; 10]' },
    { name: 'padding2', type: '[u128; 5]' },
  ],
  BorrowOrderConfigArgs: [
    { name: 'remainingDebtAmount', type: 'u64' },
    { name: 'maxBorrowRateBps', type: 'u32' },
    { name: 'minDebtTermSeconds', type: 'u64' },
    { name: 'fillableUntilTimestamp', type: 'u64' },
    { name: 'enableAutoRolloverOnFilledBorrows', type: 'bool' },
  ],
};

const flat = (args: Spec['args']): Spec['args'] =>
  args.flatMap((arg) => structs[arg.type] ?? [arg]);

const plainArgs = (spec: Spec) => flat(spec.args).filter(({ type }) => !(type in lists));
const listOf = (spec: Spec) => spec.args.flatMap(({ type }) => lists[type] ?? []).at(0);
const start = (spec: Spec) => spec.discriminator ?? spec.data ?? '';

const callOf = (spec: Spec, name: string) =>
  fc.record({
    accounts: fc.record(
      Object.fromEntries(
        spec.accounts.map((account, i) => [
          codecAccountName(name, account, i),
          account.optional === true ? fc.option(addresses, { nil: undefined }) : addresses,
        ]),
      ),
    ),
    args: fc.record(
      Object.fromEntries(
        plainArgs(spec).map(({ name, type }) => [name, plainTypes[type] ?? fc.constant(undefined)]),
      ),
    ),
    list: fc.array(listOf(spec)?.item ?? fc.constant(0), {
      maxLength: listOf(spec) === undefined ? 0 : 5,
    }),
  });

describe.each(cases)('$label', ({ codec, spec }) => {
  const withList = listOf(spec) !== undefined;

  test('has the published discriminator', () => {
    expect(bytesToHex(codec.discriminator)).toBe(start(spec));
  });

  test('has the published accounts in order with their roles', () => {
    const named = spec.accounts.map(
      (account, i) => [codecAccountName(codec.name, account, i), numberedAddress(i)] as const,
    );
    const args = fc.sample(callOf(spec, codec.name), { numRuns: 1, seed: 1 }).at(0)?.args ?? {};
    const list = withList ? { list: [] } : {};
    const { accounts } = codec.build(PROGRAM, {
      accounts: Object.fromEntries(named),
      args,
      ...list,
    });
    expect(accounts).toEqual(
      spec.accounts.map(({ role }, i) => ({ address: numberedAddress(i), role: ROLES[role] })),
    );
    const optional = spec.accounts.flatMap((account, i) => (account.optional === true ? [i] : []));
    for (const [i, [name]] of named.entries()) {
      const without = {
        accounts: Object.fromEntries(named.filter(([other]) => other !== name)),
        args,
        ...list,
      };
      if (optional.includes(i)) {
        expect(codec.build(PROGRAM, without).accounts[i]).toEqual({ address: PROGRAM, role: 0 });
      } else {
        expect(() => codec.build(PROGRAM, without)).toThrow(`${name} is missing`);
      }
    }
  });

  test('property: encodes the arguments as published', () => {
    assertProperty(
      fc.property(callOf(spec, codec.name), ({ accounts, args, list }) => {
        const call = { accounts, args, ...(withList ? { list } : {}) };
        const parts = flat(spec.args).flatMap(({ name, type }) => {
          const listed = lists[type];
          if (listed === undefined) return [bytesOf(args[name], SIZES[type] ?? 32)];
          const items = list.map((item) => bytesOf(item, listed.size));
          return [bytesOf(list.length, listed.count), ...items];
        });
        const expected = concatBytes([bytesFromHex(start(spec)), ...parts]);
        expect(codec.build(PROGRAM, call).data).toEqual(expected);
      }),
      25,
    );
  });

  test('property: decodes what it builds', () => {
    const tail = fc.array(addresses, { maxLength: 3 });
    assertProperty(
      fc.property(callOf(spec, codec.name), tail, ({ accounts, args, list }, remaining) => {
        const built = codec.build(PROGRAM, {
          accounts,
          args,
          ...(withList ? { list } : {}),
          remaining: remaining.map((address) => ({ address, role: 1 as const })),
        });
        const found = { data: built.data, accounts: built.accounts.map(({ address }) => address) };
        expect(codec.decode(PROGRAM, found)).toEqual({
          name: codec.name,
          accounts,
          args,
          list: withList ? list : undefined,
          remaining,
        });
      }),
      25,
    );
  });
});
