import { u8, u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Locks cTokens until the reserve has the liquidity to pay them to `userDestinationLiquidityTa`. The ticket has the
 * reserve's `nextIssuedTicketSequenceNumber`.
 */
export const enqueueToWithdraw = instruction({
  name: 'enqueueToWithdraw',
  discriminator: '8671a0cf5a4bd5db',
  accounts: {
    owner: signWrite,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserve: write,
    userSourceCollateralTa: write,
    userDestinationLiquidityTa: read,
    reserveLiquidityMint: read,
    reserveCollateralMint: read,
    collateralTokenProgram: read,
    withdrawTicket: write,
    ownerQueuedCollateralVault: write,
    systemProgram: read,
    progressCallbackCustomAccount0: optionalRead,
    progressCallbackCustomAccount1: optionalRead,
    instructionSysvarAccount: read,
  },
  args: {
    /** In cTokens. */
    collateralAmount: u64,
    /** 0 has no callback, and its two accounts are absent. 1 calls a vault, which is the first account. */
    progressCallbackType: u8,
  },
});
