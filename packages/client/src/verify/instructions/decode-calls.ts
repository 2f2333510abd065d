import { addressAt } from '../bytes/base58.ts';
import { readUint } from '../bytes/byte-reader.ts';
import type { ParsedTransaction } from '../bytes/parse-transaction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  FARMS_PROGRAM,
  KLEND_PROGRAMS,
  KVAULT_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAMS,
} from '../bytes/programs.ts';
import type { MessageAccount } from '../bytes/resolve-accounts.ts';
import type { Reason } from '../reasons.ts';
import { ARGUMENT_SIZES, type InstructionSpec, type ProgramName } from './instruction-spec.ts';
import { lendingInstructions } from './lending-instructions.ts';
import { findOtherInstruction } from './other-instructions.ts';
import { vaultInstructions } from './vault-instructions.ts';
import { walletInstructions } from './wallet-instructions.ts';

/** An instruction that is decoded completely. */
export type Call = {
  readonly index: number;
  /** `program instruction`, such as `klend refreshReserve`. */
  readonly key: string;
  readonly spec: InstructionSpec;
  readonly program: string;
  readonly args: Readonly<Record<string, bigint>>;
  /** Arguments that are addresses. */
  readonly keys: Readonly<Record<string, string>>;
  /** By name. Undefined for an absent optional account. */
  readonly accounts: Readonly<Record<string, string | undefined>>;
  readonly remaining: readonly string[];
};

/** An instruction that no builder uses, or that cannot be decoded. */
export type ForeignCall = {
  readonly index: number;
  readonly program: string;
  readonly name: string;
  readonly reason: Reason;
};

export type DecodedCall = Call | ForeignCall;

export const isForeign = (call: DecodedCall): call is ForeignCall => 'reason' in call;
export const isComplete = (call: DecodedCall): call is Call => !isForeign(call);

const programNames: ReadonlyMap<string, ProgramName> = new Map<string, ProgramName>([
  ...KLEND_PROGRAMS.map((program) => [program, 'klend'] as const),
  ...KVAULT_PROGRAMS.map((program) => [program, 'kvault'] as const),
  ...TOKEN_PROGRAMS.map((program) => [program, 'token'] as const),
  [FARMS_PROGRAM, 'farms'],
  [ASSOCIATED_TOKEN_PROGRAM, 'associatedToken'],
  [SYSTEM_PROGRAM, 'system'],
  [COMPUTE_BUDGET_PROGRAM, 'computeBudget'],
]);

const specs: readonly InstructionSpec[] = [
  ...lendingInstructions,
  ...vaultInstructions,
  ...walletInstructions,
];

const callKey = ({ program, name }: Pick<InstructionSpec, 'program' | 'name'>): string =>
  `${program} ${name}`;

/** All accounts must be resolved. */
export function decodeCalls(
  { instructions }: ParsedTransaction,
  accounts: readonly MessageAccount[],
): DecodedCall[] {
  const addressOf = (index: number): string => accounts[index]?.address ?? '';
  return instructions.map(({ programIndex, accountIndexes, data }, index) =>
    decodeCall(index, {
      program: addressOf(programIndex),
      accounts: accountIndexes.map(addressOf),
      data,
    }),
  );
}

type RawCall = {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
};

function decodeCall(index: number, raw: RawCall): DecodedCall {
  const { program, accounts, data } = raw;
  const foreign = (name: string, code: Reason['code'], message: string): ForeignCall => ({
    index,
    program,
    name,
    reason: { code, message, instruction: index },
  });
  const programName = programNames.get(program);
  if (programName === undefined) {
    return foreign('unknown', 'UNKNOWN_PROGRAM', `The program ${program} is not needed.`);
  }
  const hex = toHex(data.subarray(0, 8));
  const spec = specs.find((each) => each.program === programName && hex.startsWith(each.prefix));
  if (spec === undefined) {
    const other = findOtherInstruction(programName, hex);
    const effect = other?.effect ?? 'is not known';
    const name = other?.name ?? 'unknown';
    const code = other?.code ?? 'UNEXPECTED_INSTRUCTION';
    return foreign(name, code, `The instruction ${programName} ${name} ${effect}.`);
  }
  const size = spec.args.reduce(
    (sum, { type }) => sum + ARGUMENT_SIZES[type],
    spec.prefix.length / 2,
  );
  if (data.length !== size) {
    const message = `${spec.name} has ${data.length} bytes of data instead of ${size}.`;
    return foreign(spec.name, 'INVALID_INSTRUCTION_DATA', message);
  }
  const isCountValid = spec.hasRemaining
    ? accounts.length >= spec.accounts.length
    : accounts.length === spec.accounts.length;
  if (!isCountValid) {
    const message = `${spec.name} has ${accounts.length} accounts instead of ${spec.accounts.length}.`;
    return foreign(spec.name, 'WRONG_ACCOUNT_COUNT', message);
  }
  return {
    index,
    key: callKey(spec),
    spec,
    program,
    ...decodeArguments(spec, data),
    ...namedAccounts(spec, raw),
  };
}

function decodeArguments(spec: InstructionSpec, data: Uint8Array): Pick<Call, 'args' | 'keys'> {
  const args: Record<string, bigint> = {};
  const keys: Record<string, string> = {};
  let at = spec.prefix.length / 2;
  for (const { name, type } of spec.args) {
    if (type === 'pubkey') keys[name] = addressAt(data, at);
    else args[name] = readUint(data, at, ARGUMENT_SIZES[type]);
    at += ARGUMENT_SIZES[type];
  }
  return { args, keys };
}

function namedAccounts(
  spec: InstructionSpec,
  { program, accounts }: RawCall,
): Pick<Call, 'accounts' | 'remaining'> {
  const named: Record<string, string | undefined> = {};
  spec.accounts.forEach(({ name, isOptional }, i) => {
    const address = accounts[i];
    named[name] = isOptional && address === program ? undefined : address;
  });
  return { accounts: named, remaining: accounts.slice(spec.accounts.length) };
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
