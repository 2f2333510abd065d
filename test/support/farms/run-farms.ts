import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { nativePrograms } from '#localnet/programs/spl/standard-programs.ts';
import { type Ran, runInstructions } from '#localnet/runtime/execute-instructions.ts';
import type { Program } from '#localnet/runtime/program.ts';
import { LiveAccounts } from '#localnet/runtime/transaction-accounts.ts';
import type { FarmCall } from '../flows/flow-farm-calls.ts';
import type { GoldenAccount } from '../golden/golden.ts';

export type FarmRun = Ran & { readonly live: LiveAccounts };

export type ToRunOnFarms = {
  readonly program: Program;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
  readonly at: ChainTime;
  readonly instructions: readonly Instruction[];
};

/** Instructions of the farms program and of those that every cluster has. */
export function runOnFarms({ program, accounts, at, instructions }: ToRunOnFarms): FarmRun {
  const programs = new Map([...nativePrograms, [FARMS_PROGRAM, program]]);
  const live = new LiveAccounts({ account: (address) => accounts.get(address) });
  const ran = runInstructions({
    ...{ programs, accounts: live, time: at, instructions, unitLimit: 1_400_000 },
  });
  return { ...ran, live };
}

/** A recorded call as an instruction of its own, with the signatures that it asks for. */
export function asInstruction({ data, accounts }: FarmCall): Instruction {
  const codec = farmsInstructions.codecOf(data);
  if (codec === undefined) throw new Error('no instruction of farms');
  const slots = Object.values(codec.slots);
  return {
    programAddress: FARMS_PROGRAM,
    accounts: accounts.map((address, i) => ({ address, role: slots[i]?.role ?? 0 })),
    data,
  };
}

const FARMS = `Program ${FARMS_PROGRAM}`;

/** What the farms program itself logs: none of the lines of who called it or is called. */
export function farmLogs(lines: readonly string[]): string[] {
  const stack: string[] = [];
  return lines.filter((line) => {
    const [, name, what] = line.split(' ');
    if (what === 'invoke') stack.push(`Program ${name}`);
    else if (what === 'success' || what === 'failed:') stack.pop();
    return line.startsWith('Program log: ') && stack.at(-1) === FARMS;
  });
}
