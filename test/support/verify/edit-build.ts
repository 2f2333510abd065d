import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '#core/base/encoding/bytes.ts';
import type { AccountMeta, Instruction, Role } from '#core/base/solana/instruction.ts';
import { accountNames, instructionName } from '../protocol/instruction-account-names.ts';
import type { VerifiedBuild } from './verified-build.ts';

export const nameOf = (instruction: Instruction): string => instructionName(instruction);

export const findCall = ({ instructions }: VerifiedBuild, name: string): Instruction | undefined =>
  instructions.find((instruction) => nameOf(instruction) === name);

/** The address in a named place of an instruction. */
export function accountOf(
  build: VerifiedBuild,
  name: string,
  account: string,
): Address | undefined {
  const call = findCall(build, name);
  return call?.accounts[accountNames(call).indexOf(account)]?.address;
}

/** Undefined if the build has no such instruction. */
export function editCall(
  build: VerifiedBuild,
  name: string,
  edit: (instruction: Instruction) => Instruction,
): VerifiedBuild | undefined {
  const call = findCall(build, name);
  if (call === undefined) return undefined;
  const instructions = build.instructions.map((each) => (each === call ? edit(each) : each));
  return { ...build, instructions };
}

/** Replaces the account in a named place. Undefined if there is none, or if the optional account is absent. */
export function replaceAccount(
  build: VerifiedBuild,
  [name, account]: readonly [string, string],
  to: Address | ((from: Address) => Address),
): VerifiedBuild | undefined {
  const from = accountOf(build, name, account);
  if (from === undefined || from === findCall(build, name)?.programAddress) return undefined;
  const address = typeof to === 'function' ? to(from) : to;
  return editCall(build, name, (call) => {
    const index = accountNames(call).indexOf(account);
    const accounts = call.accounts.map((meta, i) => (i === index ? { ...meta, address } : meta));
    return { ...call, accounts };
  });
}

/** Replaces an address wherever the transaction has it. */
export const replaceEverywhere = (
  build: VerifiedBuild,
  from: Address,
  to: Address,
): VerifiedBuild => ({
  ...build,
  instructions: build.instructions.map((call) => ({
    ...call,
    programAddress: call.programAddress === from ? to : call.programAddress,
    accounts: call.accounts.map((meta) =>
      meta.address === from ? { ...meta, address: to } : meta,
    ),
  })),
});

export function swapAccounts(
  build: VerifiedBuild,
  name: string,
  [first, second]: readonly [string, string],
): VerifiedBuild | undefined {
  return editCall(build, name, (call) => {
    const [a, b] = [first, second].map((each) => accountNames(call).indexOf(each));
    const at = (index: number | undefined) => call.accounts[index ?? -1]?.address;
    const [one, other] = [at(a), at(b)];
    if (one === undefined || other === undefined) return call;
    const accounts = call.accounts.map((meta, i) => {
      if (i === a) return { ...meta, address: other };
      return i === b ? { ...meta, address: one } : meta;
    });
    return { ...call, accounts };
  });
}

export const insertCall = (
  build: VerifiedBuild,
  at: number,
  instruction: Instruction,
): VerifiedBuild => {
  const instructions = [...build.instructions];
  instructions.splice(at < 0 ? instructions.length : at, 0, instruction);
  return { ...build, instructions };
};

export function removeCall(build: VerifiedBuild, name: string): VerifiedBuild | undefined {
  const call = findCall(build, name);
  if (call === undefined) return undefined;
  return { ...build, instructions: build.instructions.filter((each) => each !== call) };
}

/** Adds to the little-endian number at the end of the data. */
export function changeLastNumber(
  build: VerifiedBuild,
  [name, bytes]: readonly [string, number],
  change: (value: bigint) => bigint,
): VerifiedBuild | undefined {
  return editCall(build, name, (call) => {
    const start = call.data.length - bytes;
    const value = call.data
      .subarray(start)
      .reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return {
      ...call,
      data: concatBytes([call.data.subarray(0, start), littleEndian(change(value), bytes)]),
    };
  });
}

export function littleEndian(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

/** An instruction in few words: program, data as hexadecimal digits, accounts with roles. */
export const makeCall = (
  program: string,
  data: string,
  accounts: readonly (readonly [Address, Role])[],
): Instruction => ({
  programAddress: toAddress(program),
  data: bytesFromHex(data),
  accounts: accounts.map(([address, role]): AccountMeta => ({ address, role })),
});
