import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';
import { bothFarmsAccounts } from './farms-accounts.ts';

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
 * Repays at most `liquidityAmount` of a debt and pays collateral of that value plus a bonus as liquidity. Fails if
 * it would pay less than `minAcceptableReceivedLiquidityAmount`. `maxAllowedLtvOverridePercent` is 0; only the
 * staging program uses it. Requires adjacent refreshes, see `refreshObligation`, of both reserves and farms.
 * Remaining accounts in an elevation group: the reserve of every deposit (writable), in order.
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

/** Like version 1, but without adjacent refreshes. Refreshes both farms itself. */
export const liquidateObligationAndRedeemReserveCollateralV2 = instruction({
  name: 'liquidateObligationAndRedeemReserveCollateralV2',
  discriminator: 'a2a1238f1ebbb967',
  accounts: {
    ...liquidationAccounts,
    ...bothFarmsAccounts,
    farmsProgram: read,
  },
  args: {
    liquidityAmount: lamports,
    minAcceptableReceivedLiquidityAmount: lamports,
    maxAllowedLtvOverridePercent: u64,
  },
});
