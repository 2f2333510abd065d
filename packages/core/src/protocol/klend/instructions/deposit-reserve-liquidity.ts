import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Mints cTokens to the owner's wallet, without an obligation. Accrues interest itself. */
export const depositReserveLiquidity = instruction({
  name: 'depositReserveLiquidity',
  discriminator: 'a9c91e7e06cd6644',
  accounts: {
    owner: sign,
    reserve: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserveLiquidityMint: read,
    reserveLiquiditySupply: write,
    reserveCollateralMint: write,
    userSourceLiquidity: write,
    userDestinationCollateral: write,
    collateralTokenProgram: read,
    liquidityTokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: { liquidityAmount: lamports },
});
