import { type Address, type Instruction, type Role, SIGN, WRITE } from '@tidegate/core/base';
import type { Message, MessageAccount } from '@tidegate/core/protocol/spl/transaction';

/** The instructions of a message with the accounts that its numbers stand for. */
export function resolveInstructions(
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
