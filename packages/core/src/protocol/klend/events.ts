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
  readFlashBorrow,
  readFlashRepay,
  readOrderFill,
} from './events/read-borrow.ts';
import {
  readDepositCollateral,
  readMintCollateral,
  readRedeemCollateral,
  readWithdrawCollateral,
} from './events/read-collateral.ts';
import {
  readProtocolFee,
  readRedeemedFees,
  readReferrerFees,
  readRewardsTopup,
} from './events/read-fees.ts';
import { readLiquidation } from './events/read-liquidation.ts';
import {
  readDeposit,
  readRepay,
  readWithdraw,
  toWithdrawAccounts,
} from './events/read-liquidity.ts';
import {
  readElevationGroup,
  readNewObligation,
  readSocializedLoss,
} from './events/read-obligation.ts';
import {
  readBorrowOrder,
  readDeleveragingMark,
  readObligationConfig,
  readObligationOrder,
  readRollover,
} from './events/read-orders.ts';
import { readCancel, readEnqueue, readQueuePayment, readRecovery } from './events/read-queue.ts';
import { markObligationForDeleveraging } from './instructions/administration/mark-obligation-for-deleveraging.ts';
import { recoverInvalidTicketCollateral } from './instructions/administration/recover-invalid-ticket-collateral.ts';
import { redeemFees } from './instructions/administration/redeem-fees.ts';
import { socializeLoss, socializeLossV2 } from './instructions/administration/socialize-loss.ts';
import { topupReserveRewards } from './instructions/administration/topup-reserve-rewards.ts';
import { withdrawProtocolFee } from './instructions/administration/withdraw-protocol-fee.ts';
import { withdrawReferrerFees } from './instructions/administration/withdraw-referrer-fees.ts';
import { borrowObligationLiquidity } from './instructions/borrow-obligation-liquidity.ts';
import { borrowObligationLiquidityV2 } from './instructions/borrow-obligation-liquidity-v2.ts';
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
import { liquidateObligationAndRedeemReserveCollateral } from './instructions/liquidate-obligation-and-redeem-reserve-collateral.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from './instructions/liquidate-obligation-and-redeem-reserve-collateral-v2.ts';
import { fillBorrowOrder, fillBorrowOrderV2 } from './instructions/orders/fill-borrow-order.ts';
import { rolloverFixedTermBorrow } from './instructions/orders/rollover-fixed-term-borrow.ts';
import { setBorrowOrder, setBorrowOrderV2 } from './instructions/orders/set-borrow-order.ts';
import { setObligationOrder } from './instructions/orders/set-obligation-order.ts';
import { updateObligationConfig } from './instructions/orders/update-obligation-config.ts';
import { redeemReserveCollateral } from './instructions/redeem-reserve-collateral.ts';
import { repayAndWithdrawAndRedeem } from './instructions/repay-and-withdraw-and-redeem.ts';
import { repayObligationLiquidity } from './instructions/repay-obligation-liquidity.ts';
import { repayObligationLiquidityV2 } from './instructions/repay-obligation-liquidity-v2.ts';
import { requestElevationGroup } from './instructions/request-elevation-group.ts';
import { withdrawObligationCollateral } from './instructions/withdraw-obligation-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateral } from './instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from './instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import { withdrawObligationCollateralV2 } from './instructions/withdraw-obligation-collateral-v2.ts';
import { withdrawQueuedLiquidity } from './instructions/withdraw-queued-liquidity.ts';

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
