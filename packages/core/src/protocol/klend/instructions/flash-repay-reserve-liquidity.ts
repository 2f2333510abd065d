import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, optionalWrite, read, sign, write } from '../../../base/solana/instruction.ts';

/** Repays `liquidityAmount`, the borrowed amount, plus the fee. */
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
    /** The zero-based index of the borrow instruction in the transaction. */
    borrowInstructionIndex: u8,
  },
});
