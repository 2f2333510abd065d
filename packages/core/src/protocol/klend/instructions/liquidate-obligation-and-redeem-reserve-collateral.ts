import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

export const liquidationAccounts = {
  liquidator: sign,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  repayReserve: write,
  repayReserveLiquidityMint: read,
  repayReserveLiquiditySupply: write,
  withdrawReserve: write,
  withdrawReserveLiquidityMint: read,
  withdrawReserveCollateralMint: write,
  withdrawReserveCollateralSupply: write,
  withdrawReserveLiquiditySupply: write,
  withdrawReserveLiquidityFeeReceiver: write,
  userSourceLiquidity: write,
  userDestinationCollateral: write,
  userDestinationLiquidity: write,
  collateralTokenProgram: read,
  repayLiquidityTokenProgram: read,
  withdrawLiquidityTokenProgram: read,
  instructionSysvarAccount: read,
};

/**
 * Repays at most `liquidityAmount` of another's debt for that much of the collateral and a bonus,
 * paid out as liquidity; refuses to pay less than `minAcceptableReceivedLiquidityAmount`.
 * `maxAllowedLtvOverridePercent` is 0: only the staging program heeds it. Bound to its place, see
 * `refreshObligation`, with both reserves and farms. Remaining, in an elevation group: the reserve
 * of every deposit (write), in the order of their places.
 */
export const liquidateObligationAndRedeemReserveCollateral = instruction({
  name: 'liquidateObligationAndRedeemReserveCollateral',
  discriminator: 'b1479abce2854a37',
  accounts: liquidationAccounts,
  args: {
    liquidityAmount: lamports,
    minAcceptableReceivedLiquidityAmount: lamports,
    maxAllowedLtvOverridePercent: u64,
  },
});
