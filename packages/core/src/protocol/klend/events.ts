import {
  createEventReader,
  type InstructionEventReader,
  mapToEvent,
  mapToEvents,
} from '../spl/instruction-events.ts';
import type { Call } from '../spl/transaction/call-tree.ts';
import type { KlendEvent, KlendEventBody } from './events/klend-event.ts';
import {
  readBorrow,
  readElevationGroup,
  readFlashBorrow,
  readFlashRepay,
  readLiquidation,
  readNewObligation,
  readOrderFill,
  readSocializedLoss,
} from './events/read-borrow.ts';
import {
  readProtocolFee,
  readRedeemedFees,
  readReferrerFees,
  readRewardsTopup,
} from './events/read-fees.ts';
import {
  readDeposit,
  readDepositCollateral,
  readMintCollateral,
  readRedeemCollateral,
  readRepay,
  readWithdraw,
  readWithdrawCollateral,
  toWithdrawAccounts,
} from './events/read-liquidity.ts';
import {
  readBorrowOrder,
  readDeleveragingMark,
  readObligationConfig,
  readObligationOrder,
  readRollover,
} from './events/read-orders.ts';
import { readCancel, readEnqueue, readQueuePayment, readRecovery } from './events/read-queue.ts';
import {
  markObligationForDeleveraging,
  recoverInvalidTicketCollateral,
  redeemFees,
  socializeLoss,
  socializeLossV2,
  topupReserveRewards,
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
import { initObligation, requestElevationGroup } from './instructions/obligations.ts';
import {
  fillBorrowOrder,
  fillBorrowOrderV2,
  rolloverFixedTermBorrow,
  setBorrowOrder,
  setBorrowOrderV2,
  setObligationOrder,
  updateObligationConfig,
} from './instructions/orders.ts';
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

const rows: readonly InstructionEventReader<KlendEventBody>[] = [
  mapToEvent(depositReserveLiquidityAndObligationCollateral, readDeposit),
  mapToEvent(depositReserveLiquidityAndObligationCollateralV2, readDeposit),
  mapToEvent(withdrawObligationCollateralAndRedeemReserveCollateral, readWithdraw),
  mapToEvent(withdrawObligationCollateralAndRedeemReserveCollateralV2, readWithdraw),
  mapToEvent(borrowObligationLiquidity, readBorrow),
  mapToEvent(borrowObligationLiquidityV2, readBorrow),
  mapToEvent(fillBorrowOrder, readOrderFill),
  mapToEvent(fillBorrowOrderV2, readOrderFill),
  mapToEvent(repayObligationLiquidity, readRepay),
  mapToEvent(repayObligationLiquidityV2, readRepay),
  mapToEvents(repayAndWithdrawAndRedeem, (found, call) => [
    readRepay(found, call),
    readWithdraw(toWithdrawAccounts(found.accounts), call),
  ]),
  mapToEvents(depositAndWithdraw, (found, call) => [
    readDeposit(found, call),
    readWithdraw(toWithdrawAccounts(found.accounts), call),
  ]),
  mapToEvent(depositReserveLiquidity, readMintCollateral),
  mapToEvent(redeemReserveCollateral, readRedeemCollateral),
  mapToEvent(depositObligationCollateral, readDepositCollateral),
  mapToEvent(depositObligationCollateralV2, readDepositCollateral),
  mapToEvent(withdrawObligationCollateral, readWithdrawCollateral),
  mapToEvent(withdrawObligationCollateralV2, readWithdrawCollateral),
  mapToEvent(liquidateObligationAndRedeemReserveCollateral, readLiquidation),
  mapToEvent(liquidateObligationAndRedeemReserveCollateralV2, readLiquidation),
  mapToEvent(flashBorrowReserveLiquidity, readFlashBorrow),
  mapToEvent(flashRepayReserveLiquidity, readFlashRepay),
  mapToEvent(socializeLoss, readSocializedLoss),
  mapToEvent(socializeLossV2, readSocializedLoss),
  mapToEvent(requestElevationGroup, readElevationGroup),
  mapToEvent(initObligation, readNewObligation),
  mapToEvent(enqueueToWithdraw, readEnqueue),
  mapToEvent(withdrawQueuedLiquidity, readQueuePayment),
  mapToEvent(cancelWithdrawTicket, readCancel),
  mapToEvent(recoverInvalidTicketCollateral, readRecovery),
  mapToEvent(setObligationOrder, readObligationOrder),
  mapToEvents(setBorrowOrder, readBorrowOrder),
  mapToEvents(setBorrowOrderV2, readBorrowOrder),
  mapToEvent(updateObligationConfig, readObligationConfig),
  mapToEvent(rolloverFixedTermBorrow, readRollover),
  mapToEvent(markObligationForDeleveraging, readDeleveragingMark),
  mapToEvent(redeemFees, readRedeemedFees),
  mapToEvent(withdrawProtocolFee, readProtocolFee),
  mapToEvent(withdrawReferrerFees, readReferrerFees),
  mapToEvent(topupReserveRewards, readRewardsTopup),
];

/**
 * The events of one successful call of the lending program. Refreshes and similar calls have none. `logs`: the lines
 * of the call, which alone contain the amount of a socialized loss.
 */
export const readKlendEvents: (call: Call, logs?: readonly string[]) => KlendEvent[] =
  createEventReader('klend', rows);
