import type { Instruction } from '#core/base/solana/instruction.ts';
import type { AnyDecodedInstruction } from '#core/base/solana/instruction-set.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { kvaultInstructions } from '#core/protocol/kvault/instruction-set.ts';
import { splInstructions } from '#core/protocol/spl/instruction-set.ts';
import { findKnownProgram } from '#core/views/transactions/known-programs.ts';

const sets = { klend: klendInstructions, kvault: kvaultInstructions, farms: farmsInstructions };

export const instructionName = (instruction: Instruction): string => call(instruction).name;

/** The names of the accounts by index. Remaining accounts have none. */
export const accountNames = (instruction: Instruction): string[] =>
  Object.keys(call(instruction).accounts);

function call({ programAddress, accounts, data }: Instruction): AnyDecodedInstruction {
  const name = findKnownProgram(programAddress)?.name ?? '';
  const set = splInstructions(programAddress) ?? new Map(Object.entries(sets)).get(name);
  const codec = set?.codecOf(data);
  if (codec === undefined) throw new Error(`unknown instruction of ${programAddress}`);
  return codec.decode(programAddress, { data, accounts: accounts.map(({ address }) => address) });
}
