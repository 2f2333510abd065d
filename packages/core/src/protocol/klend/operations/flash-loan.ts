import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { addSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type LoanFees, loanFees } from '../math/fees.ts';
import {
  type LendingContext,
  markStale,
  RESERVE_STATUS_OBSOLETE,
  requireNoEmergencyMode,
} from './position.ts';
import { accrueReserveToSlot, markCrossedLimits } from './refresh-reserve.ts';
import { receiveRepayment } from './repay.ts';

/** Lends liquidity until the end of the transaction. It may take what withdrawals are queued for. */
export function flashBorrow(reserve: Reserve, terms: LendingContext, amount: bigint): Reserve {
  requireNoEmergencyMode(terms, reserve);
  if (reserve.config.status === RESERVE_STATUS_OBSOLETE)
    throw klendRejection('ReserveObsolete', 'it is wound up');
  if (reserve.config.fees.flashLoanFeeSf === U64_MAX) {
    throw klendRejection('FlashLoansDisabled', 'the reserve gives none');
  }
  const current = accrueReserveToSlot(reserve, terms);
  const { liquidity } = current;
  if (amount > liquidity.totalAvailableAmount) {
    const reason = `${amount} lamports are asked for and ${liquidity.totalAvailableAmount} are there`;
    throw klendRejection('InsufficientLiquidity', reason);
  }
  return markStale({
    ...current,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - amount),
      borrowedAmountSf: addSf(liquidity.borrowedAmountSf, sfFromInt(amount)),
    },
  });
}

export type FlashRepayResult = { readonly reserve: Reserve; readonly fees: LoanFees };

/** Takes it back with its fee: the protocol's part goes to the fee vault, a referrer's stays in the reserve. */
export function flashRepay(
  reserve: Reserve,
  terms: LendingContext,
  { amount, hasReferrer }: { readonly amount: bigint; readonly hasReferrer: boolean },
): FlashRepayResult {
  const fees = loanFees(sfFromInt(amount), {
    rate: reserve.config.fees.flashLoanFeeSf,
    kind: 'exclusive',
    referralFeeBps: terms.market.referralFeeBps,
    hasReferrer,
  });
  const repaid = receiveRepayment(reserve, {
    settled: sfFromInt(amount),
    repaid: toLamports(amount),
  });
  const marked = markStale(markCrossedLimits(repaid, terms.time.unix));
  const { liquidity } = marked;
  const kept = {
    ...liquidity,
    totalAvailableAmount: toLamports(liquidity.totalAvailableAmount + fees.referrer),
    accumulatedReferrerFeesSf: addSf(liquidity.accumulatedReferrerFeesSf, sfFromInt(fees.referrer)),
  };
  return { reserve: { ...marked, liquidity: kept }, fees };
}
