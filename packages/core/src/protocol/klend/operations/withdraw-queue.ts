import type { Lamports } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { exchangeRate, redeemableCollateral, redeemedLiquidity } from '../math/exchange-rate.ts';
import { marketValue } from '../math/liquidity.ts';
import {
  type LendingContext,
  requireNonZeroAmount,
  requireNoReserveEmergency,
  requireNotObsolete,
} from './position.ts';
import { redeemCollateral } from './redeem-collateral.ts';

/** Adds cTokens to the end of the queue. Returns the number of the new ticket. */
export function enqueueWithdrawal(
  reserve: Reserve,
  context: LendingContext,
  collateral: bigint,
): { readonly reserve: Reserve; readonly sequenceNumber: bigint } {
  requireNotObsolete(reserve);
  requireNoReserveEmergency(reserve);
  if (context.market.withdrawTicketIssuanceEnabled === 0) {
    throw klendRejection('WithdrawTicketIssuanceDisabled', 'the market has no withdraw queue');
  }
  requireNonZeroAmount(collateral);
  requireTicketValue(reserve, context, collateral);
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

/** Throws if the reserve pays no tickets now. The program checks this before it looks at the ticket. */
export function requirePayableTickets(reserve: Reserve, { market }: LendingContext): void {
  requireNoReserveEmergency(reserve);
  if (market.withdrawTicketRedemptionEnabled !== 0) return;
  throw klendRejection('WithdrawTicketRedemptionDisabled', 'the market pays no tickets');
}

/** Pays the first ticket of the queue, in part if the reserve lacks liquidity. */
export function payWithdrawTicket(
  reserve: Reserve,
  context: LendingContext,
  queuedCollateral: bigint,
): QueuePayment {
  requirePayableTickets(reserve, context);
  const rate = exchangeRate(reserve, context.rules);
  const payable = redeemableCollateral(rate, reserve.liquidity.totalAvailableAmount);
  if (payable === 0n) throw klendRejection('InsufficientLiquidity', 'the reserve cannot pay');
  const isPartial = payable < queuedCollateral;
  const collateral = isPartial ? payable : queuedCollateral;
  if (isPartial) requireTicketValue(reserve, context, queuedCollateral - collateral);
  const paid = redeemCollateral(reserve, context, { collateral, fromQueue: true });
  if (isPartial && isBelowMinimum(reserve, context, paid.liquidity)) {
    const reason = `the reserve can pay only ${paid.liquidity} lamports`;
    throw klendRejection('WithdrawQueuedLiquidityValueTooSmall', reason);
  }
  return {
    liquidity: paid.liquidity,
    collateral,
    reserve: dequeue(paid.reserve, collateral, isPartial ? 'stays' : 'leaves'),
  };
}

export type QueueCancellation = {
  readonly reserve: Reserve;
  /** The cTokens that the owner gets back, at most those of the ticket. */
  readonly collateral: bigint;
  readonly remainingCollateral: bigint;
};

/** Takes cTokens out of a ticket. An empty ticket stays until the queue has passed it. */
export function cancelWithdrawal(
  reserve: Reserve,
  context: LendingContext,
  { queued, amount }: { readonly queued: bigint; readonly amount: bigint },
): QueueCancellation {
  requireNoReserveEmergency(reserve);
  if (context.market.withdrawTicketCancellationEnabled === 0) {
    throw klendRejection('WithdrawTicketCancellationDisabled', 'the market cancels no tickets');
  }
  requireNonZeroAmount(amount);
  const collateral = amount < queued ? amount : queued;
  const remainingCollateral = queued - collateral;
  if (remainingCollateral !== 0n) requireTicketValue(reserve, context, remainingCollateral);
  return { reserve: dequeue(reserve, collateral, 'stays'), collateral, remainingCollateral };
}

/** Passes over the first ticket, which was cancelled or cannot be paid any more. Its cTokens stay in its owner's vault. */
export const skipWithdrawTicket = (reserve: Reserve, queuedCollateral: bigint): Reserve =>
  dequeue(reserve, queuedCollateral, 'leaves');

function dequeue(reserve: Reserve, collateral: bigint, firstTicket: 'stays' | 'leaves'): Reserve {
  const { withdrawQueue } = reserve;
  const { nextWithdrawableTicketSequenceNumber: next, queuedCollateralAmount } = withdrawQueue;
  return {
    ...reserve,
    withdrawQueue: {
      ...withdrawQueue,
      queuedCollateralAmount: queuedCollateralAmount - collateral,
      nextWithdrawableTicketSequenceNumber: firstTicket === 'leaves' ? next + 1n : next,
    },
  };
}

function requireTicketValue(reserve: Reserve, context: LendingContext, collateral: bigint): void {
  const liquidity = redeemedLiquidity(exchangeRate(reserve, context.rules), collateral);
  if (!isBelowMinimum(reserve, context, liquidity)) return;
  const reason = `a ticket over ${liquidity} lamports is too small`;
  throw klendRejection('WithdrawTicketValueTooSmall', reason);
}

const isBelowMinimum = (
  { liquidity }: Reserve,
  { market }: LendingContext,
  amount: Lamports,
): boolean =>
  marketValue(liquidity, sfFromInt(amount)) < sfFromInt(market.minWithdrawQueuedLiquidityValue);
