import type { Address } from '../../base/encoding/address.ts';
import type { AccountMeta, Instruction } from '../../base/solana/instruction.ts';
import type { NamedCall, ReadingCodec } from '../../base/solana/instruction-set.ts';
import {
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import type { BuiltCall, Surroundings } from './guard-context.ts';

/** One instruction, with all that is around it. */
export type GuardedCall = BuiltCall & { readonly build: Surroundings };

/** Whether an account may be what it is. */
export type Rule = (address: Address | undefined, call: GuardedCall) => boolean;

/** What an account must be; nothing that is not known fits. */
export const equals =
  (expected: (call: GuardedCall) => Address | undefined): Rule =>
  (address, call) =>
    address === expected(call);

export const exactly = (expected: Address): Rule => equals(() => expected);

export const oneOf =
  (allowed: readonly Address[]): Rule =>
  (address) =>
    address !== undefined && allowed.includes(address);

/** For an account that the rule of another one covers. */
export const anything: Rule = () => true;

export const absent: Rule = (address) => address === undefined;

export const orAbsent =
  (rule: Rule): Rule =>
  (address, call) =>
    address === undefined || rule(address, call);

/** The same as another account of the instruction. */
export const sameAs = (name: string): Rule => equals(({ accounts }) => accounts[name]);

export const wallet = equals(({ build }) => build.wallet);
export const ownProgram = equals(({ program }) => program);
export const systemProgram = exactly(SYSTEM_PROGRAM);
export const tokenProgram = exactly(TOKEN_PROGRAM);
export const rentSysvar = exactly(RENT_SYSVAR);
export const instructionsSysvar = exactly(INSTRUCTIONS_SYSVAR);

type AnyCall = Pick<NamedCall, 'accounts' | 'args'> & {
  readonly list?: NamedCall['list'];
  readonly remaining?: readonly AccountMeta[];
};

/** Reads and writes one instruction, whatever its accounts and arguments are. */
type Codec = ReadingCodec & { build(program: Address, call: AnyCall): Instruction };

export type RestRule = (call: GuardedCall) => (meta: AccountMeta) => boolean;

type Checks = {
  readonly args: (args: NamedCall['args']) => boolean;
  /** Of the accounts behind the named ones. */
  readonly remaining: RestRule;
};

/** An instruction that a build may have, with a rule for each of its accounts. */
export type Allowed = Codec & Checks & { readonly rules: Readonly<Record<string, Rule>> };

/** Every account needs a rule, or it does not compile. Accounts behind the named ones are refused unless told. */
export function allow<Of extends Codec>(
  codec: Of,
  rules: { readonly [Name in keyof ReturnType<Of['decode']>['accounts']]: Rule },
  checks: Partial<Checks> = {},
): Allowed {
  return { args: () => true, remaining: () => () => false, ...checks, ...codec, rules };
}
