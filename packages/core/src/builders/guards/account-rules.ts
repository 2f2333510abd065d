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

/** A decoded instruction and the context of the build. */
export type GuardCall = ProgramCall & { readonly context: GuardContext };

/** Whether an account is allowed in its position. */
export type AccountRule = (address: Address | undefined, call: GuardCall) => boolean;

/**
 * Allows exactly the expected address; an unknown expected address allows only an absent account.
 */
export const equals =
  (expected: (call: GuardCall) => Address | undefined): AccountRule =>
  (address, call) =>
    address === expected(call);

export const exactAddress = (expected: Address): AccountRule => equals(() => expected);

export const oneOfAddresses =
  (allowed: readonly Address[]): AccountRule =>
  (address) =>
    address !== undefined && allowed.includes(address);

/** For an account that the rule of another account covers. */
export const anyAddress: AccountRule = () => true;

export const absent: AccountRule = (address) => address === undefined;

export const optionalAccount =
  (rule: AccountRule): AccountRule =>
  (address, call) =>
    address === undefined || rule(address, call);

/** Allows only the same address as another account of the instruction. */
export const sameAccountAs = (name: string): AccountRule =>
  equals(({ accounts }) => accounts[name]);

export const signingWallet = equals(({ context }) => context.wallet);
export const calledProgram = equals(({ program }) => program);
export const systemProgram = exactAddress(SYSTEM_PROGRAM);
export const tokenProgram = exactAddress(TOKEN_PROGRAM);
export const rentSysvar = exactAddress(RENT_SYSVAR);
export const instructionsSysvar = exactAddress(INSTRUCTIONS_SYSVAR);

type AnyCall = Pick<AnyDecodedInstruction, 'accounts' | 'args'> & {
  readonly list?: AnyDecodedInstruction['list'];
  readonly remaining?: readonly AccountMeta[];
};

/** Decodes and encodes one instruction with any accounts and arguments. */
type Codec = InstructionDecoder & { build(program: Address, call: AnyCall): Instruction };

export type RemainingAccountsRule = (call: GuardCall) => (meta: AccountMeta) => boolean;

type Checks = {
  readonly args: (args: AnyDecodedInstruction['args']) => boolean;
  /** For the accounts after the named ones. */
  readonly remaining: RemainingAccountsRule;
};

/** An instruction that a build may contain, with a rule for each of its accounts. */
export type AllowedInstruction = Codec &
  Checks & { readonly rules: Readonly<Record<string, AccountRule>> };

/** Every account needs a rule to compile. Accounts after the named ones are rejected by default. */
export function allowInstruction<Of extends Codec>(
  codec: Of,
  rules: { readonly [Name in keyof ReturnType<Of['decode']>['accounts']]: AccountRule },
  checks: Partial<Checks> = {},
): AllowedInstruction {
  return { args: () => true, remaining: () => () => false, ...checks, ...codec, rules };
}
