import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import {
  markObligationForDeleveraging,
  recoverInvalidTicketCollateral,
  redeemFees,
  socializeLoss,
  socializeLossV2,
  topupReserveRewards,
  updateReserveConfig,
  withdrawProtocolFee,
  withdrawReferrerFees,
} from './instructions/administration.ts';
import {
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
} from './instructions/borrows.ts';
import {
  depositObligationCollateral,
  depositObligationCollateralV2,
  depositReserveLiquidity,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from './instructions/deposits.ts';
import {
  liquidateObligationAndRedeemReserveCollateral,
  liquidateObligationAndRedeemReserveCollateralV2,
} from './instructions/liquidation.ts';
import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
  requestElevationGroup,
} from './instructions/obligations.ts';
import {
  fillBorrowOrder,
  fillBorrowOrderV2,
  rolloverFixedTermBorrow,
  setBorrowOrder,
  setBorrowOrderV2,
  setObligationOrder,
  updateObligationConfig,
} from './instructions/orders.ts';
import {
  calculateCtokenExchangeRate,
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
  refreshReservesBatch,
} from './instructions/refresh.ts';
import { depositAndWithdraw, repayAndWithdrawAndRedeem } from './instructions/swaps.ts';
import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from './instructions/withdraw-queue.ts';
import {
  redeemReserveCollateral,
  withdrawObligationCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
  withdrawObligationCollateralV2,
} from './instructions/withdrawals.ts';

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
