import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { markObligationForDeleveraging } from './instructions/administration/mark-obligation-for-deleveraging.ts';
import { recoverInvalidTicketCollateral } from './instructions/administration/recover-invalid-ticket-collateral.ts';
import { redeemFees } from './instructions/administration/redeem-fees.ts';
import { socializeLoss, socializeLossV2 } from './instructions/administration/socialize-loss.ts';
import { topupReserveRewards } from './instructions/administration/topup-reserve-rewards.ts';
import { withdrawProtocolFee } from './instructions/administration/withdraw-protocol-fee.ts';
import { withdrawReferrerFees } from './instructions/administration/withdraw-referrer-fees.ts';
import { borrowObligationLiquidity } from './instructions/borrow-obligation-liquidity.ts';
import { borrowObligationLiquidityV2 } from './instructions/borrow-obligation-liquidity-v2.ts';
import { calculateCtokenExchangeRate } from './instructions/calculate-ctoken-exchange-rate.ts';
import { cancelWithdrawTicket } from './instructions/cancel-withdraw-ticket.ts';
import { depositAndWithdraw } from './instructions/deposit-and-withdraw.ts';
import { depositObligationCollateral } from './instructions/deposit-obligation-collateral.ts';
import { depositObligationCollateralV2 } from './instructions/deposit-obligation-collateral-v2.ts';
import { depositReserveLiquidity } from './instructions/deposit-reserve-liquidity.ts';
import { depositReserveLiquidityAndObligationCollateral } from './instructions/deposit-reserve-liquidity-and-obligation-collateral.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from './instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { enqueueToWithdraw } from './instructions/enqueue-to-withdraw.ts';
import { flashBorrowReserveLiquidity } from './instructions/flash-borrow-reserve-liquidity.ts';
import { flashRepayReserveLiquidity } from './instructions/flash-repay-reserve-liquidity.ts';
import { initObligation } from './instructions/init-obligation.ts';
import { initObligationFarmsForReserve } from './instructions/init-obligation-farms-for-reserve.ts';
import { initReferrerTokenState } from './instructions/init-referrer-token-state.ts';
import { initUserMetadata } from './instructions/init-user-metadata.ts';
import { liquidateObligationAndRedeemReserveCollateral } from './instructions/liquidate-obligation-and-redeem-reserve-collateral.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from './instructions/liquidate-obligation-and-redeem-reserve-collateral-v2.ts';
import { fillBorrowOrder, fillBorrowOrderV2 } from './instructions/orders/fill-borrow-order.ts';
import { rolloverFixedTermBorrow } from './instructions/orders/rollover-fixed-term-borrow.ts';
import { setBorrowOrder, setBorrowOrderV2 } from './instructions/orders/set-borrow-order.ts';
import { setObligationOrder } from './instructions/orders/set-obligation-order.ts';
import { updateObligationConfig } from './instructions/orders/update-obligation-config.ts';
import { redeemReserveCollateral } from './instructions/redeem-reserve-collateral.ts';
import { refreshObligation } from './instructions/refresh-obligation.ts';
import { refreshObligationFarmsForReserve } from './instructions/refresh-obligation-farms-for-reserve.ts';
import { refreshReserve } from './instructions/refresh-reserve.ts';
import { refreshReservesBatch } from './instructions/refresh-reserves-batch.ts';
import { repayAndWithdrawAndRedeem } from './instructions/repay-and-withdraw-and-redeem.ts';
import { repayObligationLiquidity } from './instructions/repay-obligation-liquidity.ts';
import { repayObligationLiquidityV2 } from './instructions/repay-obligation-liquidity-v2.ts';
import { requestElevationGroup } from './instructions/request-elevation-group.ts';
import { updateReserveConfig } from './instructions/update-reserve-config.ts';
import { withdrawObligationCollateral } from './instructions/withdraw-obligation-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateral } from './instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from './instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import { withdrawObligationCollateralV2 } from './instructions/withdraw-obligation-collateral-v2.ts';
import { withdrawQueuedLiquidity } from './instructions/withdraw-queued-liquidity.ts';

/** Instructions of admins and cranks, without a codec. */
const others = {
  '67d95341a405c3e3': 'abortObligationOwnershipTransfer',
  f98246b097bbef06: 'acceptObligationOwnership',
  '3de3e72ec47c3ca1': 'approveObligationOwnershipTransfer',
  f405c671110a4721: 'cloneReserveConfig',
  '99b9631ce4b3bb96': 'deleteReferrerStateAndShortUrl',
  '8250269950d4b6fd': 'idlMissingTypes',
  da063ee90121e852: 'initFarmsForReserve',
  '8c88d630570078ff': 'initGlobalConfig',
  '22a2740e65895eef': 'initLendingMarket',
  a513197f64371f5a: 'initReferrerStateAndShortUrl',
  '8af547e19904032b': 'initReserve',
  '7f2a51da93ab4c99': 'initiateObligationOwnershipTransfer',
  fec5e476b7ce3ee2: 'seedDepositOnInitReserve',
  a45482bd6f3afac8: 'updateGlobalConfig',
  b85717c19ceeaf77: 'updateGlobalConfigAdmin',
  d19d35d261b41f2d: 'updateLendingMarket',
  '76e00a3ec4e6b859': 'updateLendingMarketOwner',
};

export const klendInstructions = createInstructionSet(
  [
    initUserMetadata,
    initObligation,
    initObligationFarmsForReserve,
    initReferrerTokenState,
    refreshReserve,
    refreshReservesBatch,
    calculateCtokenExchangeRate,
    refreshObligation,
    refreshObligationFarmsForReserve,
    depositReserveLiquidityAndObligationCollateral,
    depositReserveLiquidityAndObligationCollateralV2,
    withdrawObligationCollateralAndRedeemReserveCollateral,
    withdrawObligationCollateralAndRedeemReserveCollateralV2,
    borrowObligationLiquidity,
    borrowObligationLiquidityV2,
    repayObligationLiquidity,
    repayObligationLiquidityV2,
    depositReserveLiquidity,
    redeemReserveCollateral,
    depositObligationCollateral,
    depositObligationCollateralV2,
    withdrawObligationCollateral,
    withdrawObligationCollateralV2,
    repayAndWithdrawAndRedeem,
    depositAndWithdraw,
    requestElevationGroup,
    enqueueToWithdraw,
    withdrawQueuedLiquidity,
    cancelWithdrawTicket,
    recoverInvalidTicketCollateral,
    flashBorrowReserveLiquidity,
    flashRepayReserveLiquidity,
    liquidateObligationAndRedeemReserveCollateral,
    liquidateObligationAndRedeemReserveCollateralV2,
    updateReserveConfig,
    topupReserveRewards,
    setObligationOrder,
    setBorrowOrder,
    setBorrowOrderV2,
    fillBorrowOrder,
    fillBorrowOrderV2,
    updateObligationConfig,
    rolloverFixedTermBorrow,
    markObligationForDeleveraging,
    socializeLoss,
    socializeLossV2,
    redeemFees,
    withdrawProtocolFee,
    withdrawReferrerFees,
  ],
  others,
);
