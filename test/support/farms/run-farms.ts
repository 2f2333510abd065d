import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import {
  type ExecutionResult,
  executeInstructions,
} from '#localnet/runtime/execute-instructions.ts';
import type { Program } from '#localnet/runtime/program.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import type { FarmCall } from '../flows/flow-farm-calls.ts';
import type { GoldenAccount } from '../golden/golden.ts';

export type FarmRun = ExecutionResult & { readonly live: TransactionAccounts };

export type FarmRunOptions = {
  readonly program: Program;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
  readonly at: ChainTime;
  readonly instructions: readonly Instruction[];
};

/** Runs instructions of the farms program and of the native and SPL programs. */
export function runFarms({ program, accounts, at, instructions }: FarmRunOptions): FarmRun {
  const programs = new Map([...standardPrograms, [FARMS_PROGRAM, program]]);
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
  const ran = executeInstructions({
    programs,
    accounts: live,
    time: at,
    instructions,
    unitLimit: 1_400_000,
  });
  return { ...ran, live };
}

/** Converts a recorded call to a top-level instruction with its required signatures. */
export function toInstruction({ data, accounts }: FarmCall): Instruction {
  const codec = farmsInstructions.codecOf(data);
  if (codec === undefined) throw new Error('not a farms instruction');
  const slots = Object.values(codec.accounts);
  return {
    programAddress: FARMS_PROGRAM,
    accounts: accounts.map((address, i) => ({ address, role: slots[i]?.role ?? 0 })),
    data,
  };
}

const FARMS = `Program ${FARMS_PROGRAM}`;

/** The log lines of the farms program, without those of its callers and callees. */
export function farmLogs(lines: readonly string[]): string[] {
  const stack: string[] = [];
  return lines.filter((line) => {
    const [, name, what] = line.split(' ');
    if (what === 'invoke') stack.push(`Program ${name}`);
    else if (what === 'success' || what === 'failed:') stack.pop();
    return line.startsWith('Program log: ') && stack.at(-1) === FARMS;
  });
}
