import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { addSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type LoanFees, loanFees } from '../math/fees.ts';
import {
  type LendingContext,
  markStale,
  requireNoEmergencyMode,
  requireNotObsolete,
} from './position.ts';
import {
  accrueReserveToSlot,
  markCrossedLimits,
  withLimitTimestamps,
} from './refresh/refresh-reserve.ts';
import { receiveRepayment } from './repay.ts';

/**
 * Throws if the reserve does not allow flash loans. The program checks this before the rest of the transaction, and here
 * the emergency mode before the status.
 */
export function requireFlashLoans(reserve: Reserve, context: LendingContext): void {
  requireNoEmergencyMode(context, reserve);
  requireNotObsolete(reserve);
  if (reserve.config.fees.flashLoanFeeSf === U64_MAX) {
    throw klendRejection('FlashLoansDisabled', 'the reserve does not allow flash loans');
  }
}

/** Lends liquidity until the end of the transaction. It can use the liquidity of queued withdrawals. */
export function flashBorrow(reserve: Reserve, context: LendingContext, amount: bigint): Reserve {
  requireFlashLoans(reserve, context);
  const current = accrueReserveToSlot(reserve, context);
  const { liquidity } = current;
  if (amount > liquidity.totalAvailableAmount) {
    const reason = `the amount of ${amount} lamports exceeds the available ${liquidity.totalAvailableAmount}`;
    throw klendRejection('InsufficientLiquidity', reason);
  }
  const lent = {
    ...current,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - amount),
      borrowedAmountSf: addSf(liquidity.borrowedAmountSf, sfFromInt(amount)),
    },
  };
  return markStale(withLimitTimestamps(lent, context));
}

export type FlashRepayResult = { readonly reserve: Reserve; readonly fees: LoanFees };

/** Receives the repayment with its fee. The protocol's part goes to the fee vault, the referrer's stays in the reserve. */
export function flashRepay(
  reserve: Reserve,
  context: LendingContext,
  { amount, hasReferrer }: { readonly amount: bigint; readonly hasReferrer: boolean },
): FlashRepayResult {
  requireNoEmergencyMode(context, reserve);
  const fees = loanFees(sfFromInt(amount), {
    rate: reserve.config.fees.flashLoanFeeSf,
    kind: 'exclusive',
    referralFeeBps: context.market.referralFeeBps,
    hasReferrer,
  });
  const repaid = receiveRepayment(reserve, {
    settledDebt: sfFromInt(amount),
    repaid: toLamports(amount),
  });
  const marked = markStale(markCrossedLimits(repaid, context.time.unix));
  const { liquidity } = marked;
  const withReferrerFee = {
    ...liquidity,
    totalAvailableAmount: toLamports(liquidity.totalAvailableAmount + fees.referrer),
    accumulatedReferrerFeesSf: addSf(liquidity.accumulatedReferrerFeesSf, sfFromInt(fees.referrer)),
  };
  return { reserve: { ...marked, liquidity: withReferrerFee }, fees };
}
