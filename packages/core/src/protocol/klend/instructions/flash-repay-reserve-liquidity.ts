import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, optionalWrite, read, sign, write } from '../../../base/solana/instruction.ts';

/** Pays back `liquidityAmount`, which is what was borrowed, and the fee on top. */
export const flashRepayReserveLiquidity = instruction({
  name: 'flashRepayReserveLiquidity',
  discriminator: 'b97500cb60f5b4ba',
  accounts: {
    userTransferAuthority: sign,
    lendingMarketAuthority: read,
    lendingMarket: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveDestinationLiquidity: write,
    userSourceLiquidity: write,
    reserveLiquidityFeeReceiver: write,
    referrerTokenState: optionalWrite,
    referrerAccount: optionalWrite,
    sysvarInfo: read,
    tokenProgram: read,
  },
  args: {
    liquidityAmount: lamports,
    /** Where in the transaction the loan was taken, counted from 0. */
    borrowInstructionIndex: u8,
  },
});
