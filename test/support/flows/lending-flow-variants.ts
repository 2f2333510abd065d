import type { Address } from '#core/base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '#core/base/encoding/layout.ts';
import type { AccountCodec } from '#core/base/solana/account.ts';
import { type Instruction, WRITE } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import {
  type ExecutionResult,
  executeInstructions,
} from '#localnet/runtime/execute-instructions.ts';
import type { ProgramRegistry } from '#localnet/runtime/program.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import type { InstructionError } from '#localnet/runtime/transaction-errors.ts';
import type { GoldenAccount, GoldenFlow } from '../golden/golden.ts';
import { accountNames, instructionName } from '../protocol/instruction-account-names.ts';
import { goldenPrograms } from './flow-calls.ts';
import { flowSnapshots } from './flow-snapshots.ts';

/** A recorded flow that can be modified before it runs. */
export type LendingFlowVariant = {
  readonly flow: GoldenFlow;
  readonly at: ChainTime;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
  readonly instructions: readonly Instruction[];
};

const snapshots = flowSnapshots();

/** Finds the flow by the number of its file. */
export function lendingFlowVariant(number: string): LendingFlowVariant {
  const found = snapshots.find(({ flow }) => flow.name.startsWith(number));
  if (found === undefined) throw new Error(`no flow ${number}`);
  return { ...found, instructions: found.flow.instructions };
}

export type VariantRun = ExecutionResult & { readonly live: TransactionAccounts };

export function runVariant(
  variant: LendingFlowVariant,
  programs: ProgramRegistry = goldenPrograms,
): VariantRun {
  const { at: time, accounts, instructions } = variant;
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
  const unitLimit = 1_400_000;
  const result = executeInstructions({ programs, accounts: live, time, instructions, unitLimit });
  return { ...result, live };
}

/** The error of the run: a program error code, or an error of the cluster. */
export function runError(
  variant: LendingFlowVariant,
  programs?: ProgramRegistry,
): number | InstructionError | undefined {
  const { error } = runVariant(variant, programs);
  if (error === undefined) return undefined;
  if (typeof error === 'string' || !('InstructionError' in error)) throw new Error(`${error}`);
  const [, reason] = error.InstructionError;
  return typeof reason === 'string' ? reason : reason.Custom;
}

/** The index of the last instruction with the name. */
export function instructionIndex({ instructions }: LendingFlowVariant, name: string): number {
  const index = instructions.findLastIndex((each) => nameOf(each) === name);
  if (index === -1) throw new Error(`no ${name}`);
  return index;
}

export function variantInstruction(variant: LendingFlowVariant, name: string): Instruction {
  const found = variant.instructions[instructionIndex(variant, name)];
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

export function accountInSlot(variant: LendingFlowVariant, name: string, account: string): Address {
  const call = variantInstruction(variant, name);
  const address = call.accounts[accountNames(call).indexOf(account)]?.address;
  if (address === undefined) throw new Error(`${name} has no ${account}`);
  return address;
}

/** Replaces an account of an instruction. An absent account becomes writable. */
export function withAccountSlot(
  variant: LendingFlowVariant,
  [name, account]: readonly [string, string],
  address: Address,
): LendingFlowVariant {
  const index = accountNames(variantInstruction(variant, name)).indexOf(account);
  return withInstruction(variant, name, (call) => ({
    ...call,
    accounts: call.accounts.map((meta, i) => {
      if (i !== index) return meta;
      return { address, role: meta.address === call.programAddress ? WRITE : meta.role };
    }),
  }));
}

/** Changes, removes or surrounds an instruction. */
export function withInstruction(
  variant: LendingFlowVariant,
  name: string,
  change: (call: Instruction) => Instruction | readonly Instruction[],
): LendingFlowVariant {
  const index = instructionIndex(variant, name);
  const instructions = variant.instructions.flatMap((each, i) =>
    i === index ? change(each) : each,
  );
  return { ...variant, instructions };
}

export const withoutVariantInstruction = (
  variant: LendingFlowVariant,
  name: string,
): LendingFlowVariant => withInstruction(variant, name, () => []);

export const withAccount = (
  variant: LendingFlowVariant,
  address: Address,
  account: GoldenAccount,
): LendingFlowVariant => ({
  ...variant,
  accounts: new Map(variant.accounts).set(address, account),
});

/** The variant after a run: its accounts with the changes. */
export function withChanges(
  variant: LendingFlowVariant,
  live: TransactionAccounts,
): LendingFlowVariant {
  const accounts = new Map(variant.accounts);
  for (const [address, account] of live.changes()) {
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
  }
  return { ...variant, accounts };
}

/** Changes the fields of an account. */
export function withFields<S extends Shape>(
  variant: LendingFlowVariant,
  [kind, address]: readonly [AccountCodec<S>, Address],
  change: (fields: Decoded<Struct<S>>) => Decoded<Struct<S>>,
): LendingFlowVariant {
  const account = variant.accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  const data = kind.encode(change(kind.decode(account)));
  return withAccount(variant, address, { ...account, data });
}

function nameOf(instruction: Instruction): string {
  try {
    return instructionName(instruction);
  } catch {
    return '';
  }
}
