import type { Address } from '../../base/encoding/address.ts';
import { bytesEqual } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import { formatError } from '../../base/format-error.ts';
import type { Instruction } from '../../base/solana/instruction.ts';
import { createInstructionSet, type InstructionSet } from '../../base/solana/instruction-set.ts';
import { FARMS_PROGRAMS } from '../../protocol/farms/program.ts';
import { KLEND_PROGRAMS } from '../../protocol/klend/program.ts';
import { KVAULT_PROGRAMS } from '../../protocol/kvault/program.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import type { Build, BuildContext } from '../build.ts';
import type { AllowedInstruction, GuardCall } from './account-rules.ts';
import { allowedFarmInstructions } from './farm-guard.ts';
import { createGuardContext, type ProgramCall } from './guard-context.ts';
import { allowedLendingInstructions } from './lending-guard.ts';
import { allowedMarketInstructions } from './market-guard.ts';
import { allowedVaultInstructions } from './vault-guard.ts';
import {
  allowedAssociatedTokenInstructions,
  allowedComputeBudgetInstructions,
  allowedSystemInstructions,
  allowedTokenInstructions,
} from './wallet-guard.ts';

/** Allowed instructions by program. */
const allowedIn: ReadonlyMap<Address, InstructionSet<AllowedInstruction>> = new Map([
  ...deployments(KLEND_PROGRAMS, [...allowedLendingInstructions, ...allowedMarketInstructions]),
  ...deployments(KVAULT_PROGRAMS, allowedVaultInstructions),
  ...deployments(FARMS_PROGRAMS, allowedFarmInstructions),
  ...deployments([SYSTEM_PROGRAM], allowedSystemInstructions),
  ...deployments([TOKEN_PROGRAM], allowedTokenInstructions),
  ...deployments([ASSOCIATED_TOKEN_PROGRAM], allowedAssociatedTokenInstructions),
  ...deployments([COMPUTE_BUDGET_PROGRAM], allowedComputeBudgetInstructions),
]);

/**
 * Throws unless the build contains only known instructions of known programs, the wallet is the only payer and, besides
 * the permissioning authority of its vault, the only signer, and every account belongs to the wallet or is named by the state. Decodes
 * the instructions from their bytes and derives every address again, independently of the builders.
 */
export function guardBuild(
  { wallet, instructions }: Pick<Build, 'wallet' | 'instructions'>,
  buildContext: BuildContext,
): void {
  const decoded = instructions.map(decodeInstruction);
  const calls = decoded.map(({ call }) => call);
  const context = createGuardContext({ wallet, calls }, buildContext);
  for (const { allowed, call, instruction } of decoded) {
    check(allowed, { ...call, context }, instruction);
  }
}

type Decoded = {
  readonly instruction: Instruction;
  readonly allowed: AllowedInstruction;
  readonly call: ProgramCall;
};

function decodeInstruction(instruction: Instruction): Decoded {
  const { programAddress: program, data } = instruction;
  const allowed = allowedIn.get(program)?.codecOf(data);
  if (allowed === undefined) {
    const name = findKnownProgram(program)?.nameOf(data) ?? 'unknown';
    throw unsafe(`the instruction ${name} of ${program} is not allowed`);
  }
  const accounts = instruction.accounts.map(({ address }) => address);
  try {
    const call = { ...allowed.decode(program, { data, accounts }), program };
    return { instruction, allowed, call };
  } catch (error) {
    throw unsafe(formatError(error));
  }
}

function check(allowed: AllowedInstruction, call: GuardCall, instruction: Instruction): void {
  const remaining = instruction.accounts.slice(instruction.accounts.length - call.remaining.length);
  const rebuilt = allowed.build(call.program, { ...call, remaining });
  if (!isSame(rebuilt, instruction)) throw unsafe(`${call.name} has unexpected roles or data`);
  if (!allowed.args(call.args)) throw unsafe(`${call.name} has arguments that are not allowed`);
  for (const [name, address] of Object.entries(call.accounts)) {
    if (allowed.rules[name]?.(address, call) === true) continue;
    throw unsafe(`${name} of ${call.name} is ${address ?? 'absent'}, which is not allowed`);
  }
  const isAllowed = allowed.remaining(call);
  const extra = remaining.find((meta) => !isAllowed(meta));
  if (extra !== undefined) throw unsafe(`${call.name} has the extra account ${extra.address}`);
}

function isSame(a: Instruction, b: Instruction): boolean {
  return (
    bytesEqual(a.data, b.data) &&
    a.accounts.length === b.accounts.length &&
    a.accounts.every(({ address, role }, i) => {
      const other = b.accounts[i];
      return address === other?.address && role === other.role;
    })
  );
}

function deployments(
  programs: readonly Address[],
  allowed: readonly AllowedInstruction[],
): (readonly [Address, InstructionSet<AllowedInstruction>])[] {
  const set = createInstructionSet(allowed);
  return programs.map((program) => [program, set]);
}

const unsafe = (reason: string): CodedError => new CodedError('UNSAFE_BUILD', { reason });
