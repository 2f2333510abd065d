import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { AccountMeta, Instruction } from '#core/base/solana/instruction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { executeInstructions } from '#localnet/runtime/execute-instructions.ts';
import type { InvokeContext, Program } from '#localnet/runtime/program.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { numberedAddress } from '../protocol/codecs.ts';

export const [A, B, C] = [1, 2, 3].map(numberedAddress) as [Address, Address, Address];
export const [ONE, OTHER, THIRD] = [4, 5, 6].map(numberedAddress) as [Address, Address, Address];
/** Compute units of every call. */
export const UNITS = 100;
export const time = { slot: toSlot(7n), unix: toUnixSeconds(8n) };

export const testProgram = (run: (call: InvokeContext) => void): Program => ({
  computeUnits: () => UNITS,
  run,
});

export const ownedAccount = (owner: Address, lamports = 10n): ClusterAccount => ({
  owner,
  lamports,
  data: Uint8Array.of(1),
});

export const instructionFor = (
  programAddress: Address,
  ...accounts: readonly AccountMeta[]
): Instruction => ({
  programAddress,
  accounts,
  data: Uint8Array.of(9),
});

export type TestRunOptions = {
  readonly programs: readonly (readonly [Address, Program])[];
  readonly accounts?: readonly (readonly [Address, ClusterAccount])[];
  readonly instructions: readonly Instruction[];
  readonly unitLimit?: number;
};

/** Executes instructions of programs defined by the test. */
export function runTestPrograms({
  programs,
  accounts = [],
  instructions,
  unitLimit = 1_000,
}: TestRunOptions) {
  const bank = new Map(accounts);
  const overlay = new TransactionAccounts({ account: (address) => bank.get(address) });
  const result = executeInstructions({
    programs: new Map(programs),
    accounts: overlay,
    time,
    instructions,
    unitLimit,
  });
  return { ...result, changes: overlay.changes() };
}
