import type { Lamports } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { exchangeRate, redeemableCollateral, redeemedLiquidity } from '../math/exchange-rate.ts';
import { marketValue } from '../math/market-value.ts';
import { type LendingContext, requireNonZeroAmount } from './position.ts';
import { redeemCollateral } from './redeem-collateral.ts';

/** Adds cTokens to the end of the queue. Returns the number of the new ticket. */
export function enqueueWithdrawal(
  reserve: Reserve,
  context: LendingContext,
  collateral: bigint,
): { readonly reserve: Reserve; readonly sequenceNumber: bigint } {
  if (context.market.withdrawTicketIssuanceEnabled === 0) {
    throw klendRejection('WithdrawTicketIssuanceDisabled', 'the market has no withdraw queue');
  }
  requireNonZeroAmount(collateral);
  const liquidity = redeemedLiquidity(exchangeRate(reserve, context.rules), collateral);
  if (isBelowMinimum(reserve, context, liquidity)) {
    const reason = `a ticket over ${liquidity} lamports is too small`;
    throw klendRejection('WithdrawTicketValueTooSmall', reason);
  }
  const { withdrawQueue } = reserve;
  const sequenceNumber = withdrawQueue.nextIssuedTicketSequenceNumber;
  return {
    sequenceNumber,
    reserve: {
      ...reserve,
      withdrawQueue: {
        ...withdrawQueue,
        queuedCollateralAmount: withdrawQueue.queuedCollateralAmount + collateral,
        nextIssuedTicketSequenceNumber: sequenceNumber + 1n,
      },
    },
  };
}

export type QueuePayment = {
  readonly reserve: Reserve;
  readonly liquidity: Lamports;
  /** The redeemed cTokens: those of the ticket, or as many as the liquidity covers. */
  readonly collateral: bigint;
};

/** Pays the first ticket of the queue, in part if the reserve lacks liquidity. */
export function payWithdrawTicket(
  reserve: Reserve,
  context: LendingContext,
  queuedCollateral: bigint,
): QueuePayment {
  if (context.market.withdrawTicketRedemptionEnabled === 0) {
    throw klendRejection('WithdrawTicketRedemptionDisabled', 'the market pays no tickets');
  }
  const rate = exchangeRate(reserve, context.rules);
  const payable = redeemableCollateral(rate, reserve.liquidity.totalAvailableAmount);
  const isPartial = payable < queuedCollateral;
  const collateral = isPartial ? payable : queuedCollateral;
  const value = redeemedLiquidity(rate, collateral);
  if (isPartial && (value === 0n || isBelowMinimum(reserve, context, value))) {
    const reason = `the reserve can pay only ${value} lamports`;
    throw klendRejection('WithdrawQueuedLiquidityValueTooSmall', reason);
  }
  const paid = redeemCollateral(reserve, context, { collateral, fromQueue: true });
  const { withdrawQueue } = paid.reserve;
  const { nextWithdrawableTicketSequenceNumber: next, queuedCollateralAmount } = withdrawQueue;
  return {
    liquidity: paid.liquidity,
    collateral,
    reserve: {
      ...paid.reserve,
      withdrawQueue: {
        ...withdrawQueue,
        queuedCollateralAmount: queuedCollateralAmount - collateral,
        nextWithdrawableTicketSequenceNumber: isPartial ? next : next + 1n,
      },
    },
  };
}

const isBelowMinimum = (
  { liquidity }: Reserve,
  { market }: LendingContext,
  amount: Lamports,
): boolean =>
  marketValue(liquidity, sfFromInt(amount)) < sfFromInt(market.minWithdrawQueuedLiquidityValue);
