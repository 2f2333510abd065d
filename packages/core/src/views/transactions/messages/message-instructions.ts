import type { Address } from '../../../base/encoding/address.ts';
import { hasCode } from '../../../base/errors.ts';
import type { MessageAccount } from '../../../protocol/spl/transaction/message.ts';
import type { DescribedInstruction } from '../descriptions/instruction-description.ts';
import { describedInstructions } from '../descriptions/program-descriptions.ts';
import { findKnownProgram, type ProgramName } from '../known-programs.ts';
import { MEMO_PROGRAMS } from './built-in-labels.ts';
import type { LoadedMessage } from './loaded-message.ts';

/** An instruction of a transaction, decoded if possible. */
export type DecodedMessageInstruction = {
  readonly program: Address;
  readonly programName: ProgramName | undefined;
  /** Undefined for an unknown program or instruction. */
  readonly name: string | undefined;
  readonly accounts: readonly MessageAccount[];
  readonly data: Uint8Array;
  /** Undefined for a memo and for an instruction that cannot be decoded. */
  readonly described: DescribedInstruction | undefined;
  /** Why it cannot be decoded; undefined if it can. */
  readonly problem: string | undefined;
};

export function decodeMessageInstructions({
  message,
  accounts,
}: LoadedMessage): readonly DecodedMessageInstruction[] {
  return message.instructions.map(({ programIndex, accountIndexes, data }) => {
    const program = message.staticKeys[programIndex] ?? unreachable();
    const callAccounts = accountIndexes.map((index) => accounts[index] ?? unreachable());
    return { program, accounts: callAccounts, data, ...decodeCall(program, callAccounts, data) };
  });
}

function decodeCall(
  program: Address,
  accounts: readonly MessageAccount[],
  data: Uint8Array,
): Pick<DecodedMessageInstruction, 'programName' | 'name' | 'described' | 'problem'> {
  const known = findKnownProgram(program);
  const name = known?.nameOf(data);
  const base = { programName: known?.name, name, described: undefined };
  if (MEMO_PROGRAMS.includes(program)) return { ...base, name: 'memo', problem: undefined };
  if (known === undefined) return { ...base, problem: 'the program is unknown' };
  const codec = describedInstructions(program)?.codecOf(data);
  if (codec === undefined) {
    const problem = name === undefined ? 'the instruction is unknown' : 'only its name is known';
    return { ...base, problem };
  }
  try {
    const raw = { data, accounts: accounts.map(({ address }) => address) };
    return { ...base, described: codec.decode(program, raw), problem: undefined };
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    return { ...base, problem: error.context.reason };
  }
}

/** Indexes are validated when the message is decoded. */
function unreachable(): never {
  throw new Error('a validated message has an index out of range');
}
