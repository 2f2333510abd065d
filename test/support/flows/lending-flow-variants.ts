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

/** A recorded flow, to be run with a change. */
export type LendingFlowVariant = {
  readonly flow: GoldenFlow;
  readonly at: ChainTime;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
  readonly instructions: readonly Instruction[];
};

const placed = flowSnapshots();

/** By the number of its file. */
export function lendingFlowVariant(number: string): LendingFlowVariant {
  const found = placed.find(({ flow }) => flow.name.startsWith(number));
  if (found === undefined) throw new Error(`no flow ${number}`);
  return { ...found, instructions: found.flow.instructions };
}

export type VariantRun = ExecutionResult & { readonly live: TransactionAccounts };

export function runVariant(
  scene: LendingFlowVariant,
  programs: ProgramRegistry = goldenPrograms,
): VariantRun {
  const { at: time, accounts, instructions } = scene;
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
  const unitLimit = 1_400_000;
  const ran = executeInstructions({ programs, accounts: live, time, instructions, unitLimit });
  return { ...ran, live };
}

/** What the run fails with: a number of a program, or an error of the cluster. */
export function runError(
  scene: LendingFlowVariant,
  programs?: ProgramRegistry,
): number | InstructionError | undefined {
  const { error } = runVariant(scene, programs);
  if (error === undefined) return undefined;
  if (typeof error === 'string' || !('InstructionError' in error)) throw new Error(`${error}`);
  const [, reason] = error.InstructionError;
  return typeof reason === 'string' ? reason : reason.Custom;
}

/** The place of its last instruction of that name. */
export function instructionIndex({ instructions }: LendingFlowVariant, name: string): number {
  const place = instructions.findLastIndex((each) => nameOf(each) === name);
  if (place === -1) throw new Error(`no ${name}`);
  return place;
}

export function variantInstruction(scene: LendingFlowVariant, name: string): Instruction {
  const found = scene.instructions[instructionIndex(scene, name)];
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

export function accountInSlot(scene: LendingFlowVariant, name: string, slot: string): Address {
  const call = variantInstruction(scene, name);
  const address = call.accounts[accountNames(call).indexOf(slot)]?.address;
  if (address === undefined) throw new Error(`${name} has no ${slot}`);
  return address;
}

/** With another account in one slot of one instruction. One that was absent is writable now. */
export function withAccountSlot(
  scene: LendingFlowVariant,
  [name, slot]: readonly [string, string],
  address: Address,
): LendingFlowVariant {
  const at = accountNames(variantInstruction(scene, name)).indexOf(slot);
  return withInstruction(scene, name, (call) => ({
    ...call,
    accounts: call.accounts.map((meta, i) => {
      if (i !== at) return meta;
      return { address, role: meta.address === call.programAddress ? WRITE : meta.role };
    }),
  }));
}

/** With one instruction changed, left out, or given company. */
export function withInstruction(
  scene: LendingFlowVariant,
  name: string,
  change: (call: Instruction) => Instruction | readonly Instruction[],
): LendingFlowVariant {
  const place = instructionIndex(scene, name);
  const instructions = scene.instructions.flatMap((each, i) => (i === place ? change(each) : each));
  return { ...scene, instructions };
}

export const withoutVariantInstruction = (
  scene: LendingFlowVariant,
  name: string,
): LendingFlowVariant => withInstruction(scene, name, () => []);

export const withAccount = (
  scene: LendingFlowVariant,
  address: Address,
  account: GoldenAccount,
): LendingFlowVariant => ({ ...scene, accounts: new Map(scene.accounts).set(address, account) });

/** With other fields in one account. */
export function withFields<S extends Shape>(
  scene: LendingFlowVariant,
  [kind, address]: readonly [AccountCodec<S>, Address],
  change: (fields: Decoded<Struct<S>>) => Decoded<Struct<S>>,
): LendingFlowVariant {
  const account = scene.accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  const data = kind.encode(change(kind.decode(account)));
  return withAccount(scene, address, { ...account, data });
}

function nameOf(instruction: Instruction): string {
  try {
    return instructionName(instruction);
  } catch {
    return '';
  }
}
