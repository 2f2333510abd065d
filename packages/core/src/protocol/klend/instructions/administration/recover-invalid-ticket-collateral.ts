import { u64 } from '../../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../../base/solana/instruction.ts';

/**
 * Returns the cTokens of a ticket that could not be paid, because its destination was closed or given away. Anyone can send
 * them to the owner's associated account, the owner to any of its accounts. Closes the ticket.
 */
export const recoverInvalidTicketCollateral = instruction({
  name: 'recoverInvalidTicketCollateral',
  discriminator: '1c30b0669fced2f6',
  accounts: {
    payer: sign,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserve: read,
    reserveCollateralMint: read,
    ownerQueuedCollateralVault: write,
    userSourceCollateral: write,
    collateralTokenProgram: read,
    withdrawTicket: write,
    withdrawTicketOwner: write,
    instructionSysvarAccount: read,
  },
  args: { ticketSequenceNumber: u64 },
});
