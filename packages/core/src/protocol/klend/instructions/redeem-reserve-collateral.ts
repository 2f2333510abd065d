import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Redeems cTokens of the owner's wallet. `collateralAmount` is in cTokens. Accrues interest itself. Unlike in
 * `depositReserveLiquidity`, the market precedes the reserve.
 */
export const redeemReserveCollateral = instruction({
  name: 'redeemReserveCollateral',
  discriminator: 'ea75b57db98edc1d',
  accounts: {
    owner: sign,
    lendingMarket: read,
    reserve: write,
    lendingMarketAuthority: read,
    reserveLiquidityMint: read,
    reserveCollateralMint: write,
    reserveLiquiditySupply: write,
    userSourceCollateral: write,
    userDestinationLiquidity: write,
    collateralTokenProgram: read,
    liquidityTokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: { collateralAmount: u64 },
});
