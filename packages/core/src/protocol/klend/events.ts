import { type EventRow, eventReader, eventRow, eventsRow } from '../spl/instruction-events.ts';
import type { Call } from '../spl/transaction/call-tree.ts';
import type { KlendEvent, KlendEventBody } from './events/klend-event.ts';
import { readBorrow, readFlashBorrow, readFlashRepay } from './events/read-borrow.ts';
import {
  readDepositCollateral,
  readMintCollateral,
  readRedeemCollateral,
  readWithdrawCollateral,
} from './events/read-collateral.ts';
import { readLiquidation } from './events/read-liquidation.ts';
import { readDeposit, readRepay, readWithdraw, secondWithdraw } from './events/read-liquidity.ts';
import {
  readElevationGroup,
  readNewObligation,
  readSocializedLoss,
} from './events/read-obligation.ts';
import { readCancel, readEnqueue, readQueuePayment } from './events/read-queue.ts';
import { socializeLoss, socializeLossV2 } from './events/socialize-loss.ts';
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

const rows: readonly EventRow<KlendEventBody>[] = [
  eventRow(depositReserveLiquidityAndObligationCollateral, readDeposit),
  eventRow(depositReserveLiquidityAndObligationCollateralV2, readDeposit),
  eventRow(withdrawObligationCollateralAndRedeemReserveCollateral, readWithdraw),
  eventRow(withdrawObligationCollateralAndRedeemReserveCollateralV2, readWithdraw),
  eventRow(borrowObligationLiquidity, readBorrow),
  eventRow(borrowObligationLiquidityV2, readBorrow),
  eventRow(repayObligationLiquidity, readRepay),
  eventRow(repayObligationLiquidityV2, readRepay),
  eventsRow(repayAndWithdrawAndRedeem, (found, call) => [
    readRepay(found, call),
    readWithdraw(secondWithdraw(found.accounts), call),
  ]),
  eventsRow(depositAndWithdraw, (found, call) => [
    readDeposit(found, call),
    readWithdraw(secondWithdraw(found.accounts), call),
  ]),
  eventRow(depositReserveLiquidity, readMintCollateral),
  eventRow(redeemReserveCollateral, readRedeemCollateral),
  eventRow(depositObligationCollateral, readDepositCollateral),
  eventRow(depositObligationCollateralV2, readDepositCollateral),
  eventRow(withdrawObligationCollateral, readWithdrawCollateral),
  eventRow(withdrawObligationCollateralV2, readWithdrawCollateral),
  eventRow(liquidateObligationAndRedeemReserveCollateral, readLiquidation),
  eventRow(liquidateObligationAndRedeemReserveCollateralV2, readLiquidation),
  eventRow(flashBorrowReserveLiquidity, readFlashBorrow),
  eventRow(flashRepayReserveLiquidity, readFlashRepay),
  eventRow(socializeLoss, readSocializedLoss),
  eventRow(socializeLossV2, readSocializedLoss),
  eventRow(requestElevationGroup, readElevationGroup),
  eventRow(initObligation, readNewObligation),
  eventRow(enqueueToWithdraw, readEnqueue),
  eventRow(withdrawQueuedLiquidity, readQueuePayment),
  eventRow(cancelWithdrawTicket, readCancel),
];

/** What one successful call of the lending program did; none for refreshes and the like. */
export const readKlendEvents: (call: Call) => KlendEvent[] = eventReader('klend', rows);
