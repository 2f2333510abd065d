import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { liquidateObligationAndRedeemReserveCollateral } from '../instructions/liquidate-obligation-and-redeem-reserve-collateral.ts';
import type { KlendEventBody } from './klend-event.ts';

type LiquidateCall = ReturnType<typeof liquidateObligationAndRedeemReserveCollateral.decode>;

/** Without liquidity in the reserve the liquidator receives cTokens. */
export function readLiquidation({ accounts }: LiquidateCall, call: Call): KlendEventBody {
  const { userDestinationCollateral, userDestinationLiquidity } = accounts;
  const moved = tokenMovements(call.children);
  const repaid = moved.transferred(
    accounts.userSourceLiquidity,
    accounts.repayReserveLiquiditySupply,
  );
  const seized = moved.transferred(
    accounts.withdrawReserveCollateralSupply,
    userDestinationCollateral,
  );
  const paid = moved.transferred(accounts.withdrawReserveLiquiditySupply, userDestinationLiquidity);
  const fee = moved.transferred(
    userDestinationLiquidity,
    accounts.withdrawReserveLiquidityFeeReceiver,
  );
  return {
    kind: 'liquidate',
    liquidator: accounts.liquidator,
    obligation: accounts.obligation,
    lendingMarket: accounts.lendingMarket,
    repayReserve: accounts.repayReserve,
    repaidAmount: toLamports(requireMovement(repaid, 'transfer into the reserve')),
    withdrawReserve: accounts.withdrawReserve,
    collateralAmount: requireMovement(seized, 'transfer of cTokens'),
    redeemedCollateralAmount: moved.burned(userDestinationCollateral) ?? 0n,
    liquidityAmount: toLamports(paid ?? 0n),
    feeAmount: toLamports(fee ?? 0n),
  };
}
