import type { Address } from '../../base/address.ts';
import { type Instruction, type Role, SIGN, WRITE } from '../../base/instruction.ts';
import type { Message, MessageAccount } from '../../protocol/spl/transaction/message.ts';

/** The instructions of a message with the accounts that its numbers stand for. */
export function messageInstructions(
  { instructions }: Message,
  accounts: readonly MessageAccount[],
): Instruction[] {
  const metas = accounts.map(({ address, isSigner, isWritable }) => ({
    address,
    role: ((isSigner ? SIGN : 0) | (isWritable ? WRITE : 0)) as Role,
  }));
  const at = <Item>(list: readonly Item[], index: number): Item => {
    const item = list[index];
    // a message is checked when it is read
    if (item === undefined) throw new RangeError(`no account ${index}`);
    return item;
  };
  return instructions.map(({ programIndex, accountIndexes, data }) => ({
    programAddress: at<{ address: Address }>(metas, programIndex).address,
    accounts: accountIndexes.map((index) => at(metas, index)),
    data,
  }));
}
