import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

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
