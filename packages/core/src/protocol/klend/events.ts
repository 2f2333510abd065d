import {
  createEventReader,
  type InstructionEventReader,
  readsEvent,
  readsEvents,
} from '../spl/instruction-events.ts';
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

const rows: readonly InstructionEventReader<KlendEventBody>[] = [
  readsEvent(depositReserveLiquidityAndObligationCollateral, readDeposit),
  readsEvent(depositReserveLiquidityAndObligationCollateralV2, readDeposit),
  readsEvent(withdrawObligationCollateralAndRedeemReserveCollateral, readWithdraw),
  readsEvent(withdrawObligationCollateralAndRedeemReserveCollateralV2, readWithdraw),
  readsEvent(borrowObligationLiquidity, readBorrow),
  readsEvent(borrowObligationLiquidityV2, readBorrow),
  readsEvent(repayObligationLiquidity, readRepay),
  readsEvent(repayObligationLiquidityV2, readRepay),
  readsEvents(repayAndWithdrawAndRedeem, (found, call) => [
    readRepay(found, call),
    readWithdraw(toWithdrawAccounts(found.accounts), call),
  ]),
  readsEvents(depositAndWithdraw, (found, call) => [
    readDeposit(found, call),
    readWithdraw(toWithdrawAccounts(found.accounts), call),
  ]),
  readsEvent(depositReserveLiquidity, readMintCollateral),
  readsEvent(redeemReserveCollateral, readRedeemCollateral),
  readsEvent(depositObligationCollateral, readDepositCollateral),
  readsEvent(depositObligationCollateralV2, readDepositCollateral),
  readsEvent(withdrawObligationCollateral, readWithdrawCollateral),
  readsEvent(withdrawObligationCollateralV2, readWithdrawCollateral),
  readsEvent(liquidateObligationAndRedeemReserveCollateral, readLiquidation),
  readsEvent(liquidateObligationAndRedeemReserveCollateralV2, readLiquidation),
  readsEvent(flashBorrowReserveLiquidity, readFlashBorrow),
  readsEvent(flashRepayReserveLiquidity, readFlashRepay),
  readsEvent(socializeLoss, readSocializedLoss),
  readsEvent(socializeLossV2, readSocializedLoss),
  readsEvent(requestElevationGroup, readElevationGroup),
  readsEvent(initObligation, readNewObligation),
  readsEvent(enqueueToWithdraw, readEnqueue),
  readsEvent(withdrawQueuedLiquidity, readQueuePayment),
  readsEvent(cancelWithdrawTicket, readCancel),
];

/** The events of one successful call of the lending program. Refreshes and similar calls have none. */
export const readKlendEvents: (call: Call) => KlendEvent[] = createEventReader('klend', rows);
