import { u8 } from '../../../../base/encoding/layout.ts';
import { instruction, read, sign } from '../../../../base/solana/instruction.ts';
import { borrowAccounts } from '../borrow-obligation-liquidity.ts';
import { farmsAccounts } from '../farms-accounts.ts';

const { owner: _owner, ...accountsAfterPayer } = borrowAccounts;

/** Anyone can fill an order. */
export const fillBorrowOrderAccounts = {
  payer: sign,
  ...accountsAfterPayer,
  ...farmsAccounts,
  farmsProgram: read,
  eventAuthority: read,
  program: read,
};

/** Borrows for the owner of an order, up to the rest of the order. */
export const fillBorrowOrder = instruction({
  name: 'fillBorrowOrder',
  discriminator: '6604a74c83aa5d13',
  accounts: fillBorrowOrderAccounts,
  args: {},
});

/** Like version 1, for one of several orders. */
export const fillBorrowOrderV2 = instruction({
  name: 'fillBorrowOrderV2',
  discriminator: 'c555c18b285ec28f',
  accounts: fillBorrowOrderAccounts,
  args: { orderIdx: u8 },
});
