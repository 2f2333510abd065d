import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign } from '../../../base/solana/instruction.ts';
import { emittedEvents } from '../../spl/emitted-events.ts';
import { borrowAccounts } from '../instructions/borrow-obligation-liquidity.ts';
import { farmsAccounts } from '../instructions/farms-accounts.ts';
import { borrowOrder } from '../layout/orders.ts';
import { eventAuthority } from '../pda.ts';

const { owner: _owner, ...accountsAfterPayer } = borrowAccounts;

/** Anyone can fill an order. */
const fillAccounts = {
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
  accounts: fillAccounts,
  args: {},
});

export const fillBorrowOrderV2 = instruction({
  name: 'fillBorrowOrderV2',
  discriminator: 'c555c18b285ec28f',
  accounts: fillAccounts,
  args: { orderIdx: u8 },
});

const emitted = emittedEvents(eventAuthority);

export const borrowOrderFullFill = emitted('BorrowOrderFullFillEvent', 'b1f1edfa8f140eb7', {
  before: borrowOrder,
});

export const borrowOrderPartialFill = emitted('BorrowOrderPartialFillEvent', '7151fcc198186354', {
  before: borrowOrder,
  after: borrowOrder,
});
