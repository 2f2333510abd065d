import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, optionalWrite, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Requires a later `flashRepayReserveLiquidity` of the same reserve and amount in the same transaction. Referrer
 * accounts are absent without a referrer.
 */
export const flashBorrowReserveLiquidity = instruction({
  name: 'flashBorrowReserveLiquidity',
  discriminator: '87e734a70734d4c1',
  accounts: {
    userTransferAuthority: sign,
    lendingMarketAuthority: read,
    lendingMarket: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveSourceLiquidity: write,
    userDestinationLiquidity: write,
    reserveLiquidityFeeReceiver: write,
    referrerTokenState: optionalWrite,
    referrerAccount: optionalWrite,
    sysvarInfo: read,
    tokenProgram: read,
  },
  args: { liquidityAmount: lamports },
});
