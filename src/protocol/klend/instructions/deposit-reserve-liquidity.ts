import { instruction, read, sign, write } from '../../../base/instruction.ts';
import { lamports } from '../../../base/unit-fields.ts';

/** Buys cTokens into the owner's wallet, without an obligation. Accrues interest by itself. */
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
