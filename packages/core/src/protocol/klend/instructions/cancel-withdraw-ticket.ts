import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** The ticket stays in the queue until the queue has passed it. */
export const cancelWithdrawTicket = instruction({
  name: 'cancelWithdrawTicket',
  discriminator: 'b4537a2c78d32f16',
  accounts: {
    owner: sign,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserve: write,
    reserveCollateralMint: read,
    ownerQueuedCollateralVault: write,
    userDestinationCollateral: write,
    collateralTokenProgram: read,
    withdrawTicket: write,
  },
  args: {
    ticketSequenceNumber: u64,
    /** In cTokens. */
    collateralAmountToCancel: u64,
  },
});
