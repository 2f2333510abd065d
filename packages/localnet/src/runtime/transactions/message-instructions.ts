import { type Address, type Instruction, type Role, SIGN, WRITE } from '@tidegate/core/base';
import type { Message, MessageAccount } from '@tidegate/core/protocol/spl/transaction';

/** Resolves the account indexes of a message's instructions. */
export function resolveInstructions(
  { instructions }: Message,
  accounts: readonly MessageAccount[],
): Instruction[] {
  const metas = accounts.map(({ address, isSigner, isWritable }) => ({
    address,
    role: ((isSigner ? SIGN : 0) | (isWritable ? WRITE : 0)) as Role,
  }));
  const itemAt = <Item>(list: readonly Item[], index: number): Item => {
    const item = list[index];
    // Indexes are checked when the message is decoded.
    if (item === undefined) throw new RangeError(`no account ${index}`);
    return item;
  };
  return instructions.map(({ programIndex, accountIndexes, data }) => ({
    programAddress: itemAt<{ address: Address }>(metas, programIndex).address,
    accounts: accountIndexes.map((index) => itemAt(metas, index)),
    data,
  }));
}
