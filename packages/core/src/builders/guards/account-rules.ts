import type { Address } from '../../base/encoding/address.ts';
import type { AccountMeta, Instruction } from '../../base/solana/instruction.ts';
import type {
  AnyDecodedInstruction,
  InstructionDecoder,
} from '../../base/solana/instruction-set.ts';
import {
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import type { GuardContext, ProgramCall } from './guard-context.ts';

/** One instruction, with all that is around it. */
export type GuardCall = ProgramCall & { readonly build: GuardContext };

/** Whether an account may be what it is. */
export type AccountRule = (address: Address | undefined, call: GuardCall) => boolean;

/** What an account must be; nothing that is not known fits. */
export const equals =
  (expected: (call: GuardCall) => Address | undefined): AccountRule =>
  (address, call) =>
    address === expected(call);

export const exactAddress = (expected: Address): AccountRule => equals(() => expected);

export const oneOfAddresses =
  (allowed: readonly Address[]): AccountRule =>
  (address) =>
    address !== undefined && allowed.includes(address);

/** For an account that the rule of another one covers. */
export const anyAddress: AccountRule = () => true;

export const absent: AccountRule = (address) => address === undefined;

export const optionalAccount =
  (rule: AccountRule): AccountRule =>
  (address, call) =>
    address === undefined || rule(address, call);

/** The same as another account of the instruction. */
export const sameAccountAs = (name: string): AccountRule =>
  equals(({ accounts }) => accounts[name]);

export const signingWallet = equals(({ build }) => build.wallet);
export const calledProgram = equals(({ program }) => program);
export const systemProgram = exactAddress(SYSTEM_PROGRAM);
export const tokenProgram = exactAddress(TOKEN_PROGRAM);
export const rentSysvar = exactAddress(RENT_SYSVAR);
export const instructionsSysvar = exactAddress(INSTRUCTIONS_SYSVAR);

type AnyCall = Pick<AnyDecodedInstruction, 'accounts' | 'args'> & {
  readonly list?: AnyDecodedInstruction['list'];
  readonly remaining?: readonly AccountMeta[];
};

/** Reads and writes one instruction, whatever its accounts and arguments are. */
type Codec = InstructionDecoder & { build(program: Address, call: AnyCall): Instruction };

export type RemainingAccountsRule = (call: GuardCall) => (meta: AccountMeta) => boolean;

type Checks = {
  readonly args: (args: AnyDecodedInstruction['args']) => boolean;
  /** Of the accounts behind the named ones. */
  readonly remaining: RemainingAccountsRule;
};

/** An instruction that a build may have, with a rule for each of its accounts. */
export type AllowedInstruction = Codec &
  Checks & { readonly rules: Readonly<Record<string, AccountRule>> };

/** Every account needs a rule, or it does not compile. Accounts behind the named ones are refused unless told. */
export function allowInstruction<Of extends Codec>(
  codec: Of,
  rules: { readonly [Name in keyof ReturnType<Of['decode']>['accounts']]: AccountRule },
  checks: Partial<Checks> = {},
): AllowedInstruction {
  return { args: () => true, remaining: () => () => false, ...checks, ...codec, rules };
}
