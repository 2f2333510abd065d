import type { Address } from '../../../base/encoding/address.ts';
import { hasCode } from '../../../base/errors.ts';
import type { MessageAccount } from '../../../protocol/spl/transaction/message.ts';
import type { DescribedInstruction } from '../descriptions/instruction-description.ts';
import { describedInstructions } from '../descriptions/program-descriptions.ts';
import { findKnownProgram, type ProgramName } from '../known-programs.ts';
import { MEMO_PROGRAMS } from './built-in-labels.ts';
import type { LoadedMessage } from './loaded-message.ts';

/** An instruction of a transaction, read as far as it can be. */
export type DecodedMessageInstruction = {
  readonly program: Address;
  readonly programName: ProgramName | undefined;
  /** Undefined where nothing is known of the program or of the instruction. */
  readonly name: string | undefined;
  readonly accounts: readonly MessageAccount[];
  readonly data: Uint8Array;
  /** Undefined for a memo, which is all text, and for what cannot be read. */
  readonly told: DescribedInstruction | undefined;
  /** Why it cannot be read; undefined where it can. */
  readonly problem: string | undefined;
};

export function decodeMessageInstructions({
  message,
  accounts,
}: LoadedMessage): readonly DecodedMessageInstruction[] {
  return message.instructions.map(({ programIndex, accountIndexes, data }) => {
    const program = message.staticKeys[programIndex] ?? unreachable();
    const given = accountIndexes.map((index) => accounts[index] ?? unreachable());
    return { program, accounts: given, data, ...readCall(program, given, data) };
  });
}

function readCall(
  program: Address,
  accounts: readonly MessageAccount[],
  data: Uint8Array,
): Pick<DecodedMessageInstruction, 'programName' | 'name' | 'told' | 'problem'> {
  const known = findKnownProgram(program);
  const name = known?.nameOf(data);
  const facts = { programName: known?.name, name, told: undefined };
  if (MEMO_PROGRAMS.includes(program)) return { ...facts, name: 'memo', problem: undefined };
  if (known === undefined) return { ...facts, problem: 'the program is not known' };
  const codec = describedInstructions(program)?.codecOf(data);
  if (codec === undefined) {
    const problem = name === undefined ? 'the instruction is not known' : 'only its name is known';
    return { ...facts, problem };
  }
  try {
    const found = { data, accounts: accounts.map(({ address }) => address) };
    return { ...facts, told: codec.decode(program, found), problem: undefined };
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    return { ...facts, problem: error.context.reason };
  }
}

/** A message is checked when it is decoded: every index is in it. */
function unreachable(): never {
  throw new Error('an index of a checked message is not in it');
}
