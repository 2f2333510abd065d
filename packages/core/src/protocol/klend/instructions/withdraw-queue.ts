import { u8, u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
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

/**
 * Pays the first ticket of the queue, possibly in part. Anyone can call it. The rent of a fully paid ticket goes to
 * `withdrawTicketOwner`.
 */
export const withdrawQueuedLiquidity = instruction({
  name: 'withdrawQueuedLiquidity',
  discriminator: '4295bbc94abfae78',
  accounts: {
    payer: signWrite,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveCollateralMint: write,
    reserveLiquiditySupply: write,
    ownerQueuedCollateralVault: write,
    userDestinationLiquidity: write,
    collateralTokenProgram: read,
    liquidityTokenProgram: read,
    withdrawTicket: write,
    withdrawTicketOwner: write,
    associatedTokenProgram: read,
    systemProgram: read,
    progressCallbackProgram: optionalRead,
    progressCallbackCustomAccount0: optionalRead,
    progressCallbackCustomAccount1: optionalRead,
    instructionSysvarAccount: read,
  },
  args: {},
});
