import type { Address } from '../../../base/encoding/address.ts';
import { addSf, type Sf, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { loanToValue, unhealthyLoanToValue } from '../math/health.ts';
import {
  isBorrow,
  isDeposit,
  type LendingContext,
  markStale,
  type ObligationPosition,
  reserveOf,
  withReserve,
} from './position.ts';
import type { ReferrerFees } from './refresh-borrows.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { accrueReserveToSlot } from './refresh-reserve.ts';
import { type RepayResult, repay } from './repay.ts';
import { type WithdrawResult, withdraw } from './withdraw.ts';

export type RepayAndWithdrawRequest = {
  readonly repayReserve: Address;
  readonly repayAmount: bigint;
  readonly withdrawReserve: Address;
  readonly collateral: bigint;
};

export type RepayAndWithdrawResult = WithdrawResult &
  Pick<RepayResult, 'settled' | 'repaid'> & { readonly referrerFees: ReferrerFees };

/** One instruction that repays and withdraws: up to the liquidation threshold, if the loan gets no worse. */
export function repayAndWithdraw(
  position: ObligationPosition,
  terms: LendingContext,
  request: RepayAndWithdrawRequest,
): RepayAndWithdrawResult {
  const { repayReserve, withdrawReserve } = request;
  if (position.obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsEmpty', 'it has nothing to withdraw');
  }
  const initialLtv = loanToValue(position.obligation);
  const paid = repay(position, terms, { reserve: repayReserve, amount: request.repayAmount });
  const isUsed = uses(paid.obligation, repayReserve) || repayReserve === withdrawReserve;
  const refreshed = refreshObligation(
    isUsed ? broughtToSlot(paid, terms, repayReserve) : paid,
    terms,
  );
  const taken = withdraw(refreshed, terms, {
    reserve: withdrawReserve,
    collateral: request.collateral,
    limit: 'liquidation threshold',
  });
  const { settled, repaid } = paid;
  if (taken.closes) {
    return { ...taken, settled, repaid, referrerFees: refreshed.referrerFees };
  }
  const isStillUsed = uses(taken.obligation, withdrawReserve);
  const last = refreshObligation(
    isStillUsed ? broughtToSlot(taken, terms, withdrawReserve) : taken,
    terms,
  );
  const left = reserveOf(last.reserves, withdrawReserve);
  const reserve = terms.rules.reserveAfterCombinedWithdrawal === 'stale' ? markStale(left) : left;
  requireLtvNotWorse(last.obligation, reserve, initialLtv);
  return {
    ...taken,
    obligation: markStale(last.obligation),
    reserves: withReserve(last.reserves, withdrawReserve, reserve),
    settled,
    repaid,
    referrerFees: addedFees(refreshed.referrerFees, last.referrerFees),
  };
}

const uses = (obligation: Obligation, reserve: Address): boolean =>
  obligation.borrows.some((borrow) => isBorrow(borrow) && borrow.borrowReserve === reserve) ||
  obligation.deposits.some((deposit) => isDeposit(deposit) && deposit.depositReserve === reserve);

function broughtToSlot(
  position: ObligationPosition,
  terms: LendingContext,
  address: Address,
): ObligationPosition {
  const reserve = accrueReserveToSlot(reserveOf(position.reserves, address), terms);
  return { ...position, reserves: withReserve(position.reserves, address, reserve) };
}

/** What an operation that withdraws up to the liquidation threshold may leave. */
export function requireLtvNotWorse(obligation: Obligation, reserve: Reserve, initialLtv: Sf): void {
  const debt = obligation.borrowFactorAdjustedDebtValueSf;
  if (debt > 0n && obligation.lowestReserveDepositMaxLtvPct === 0) {
    throw klendRejection(
      'ZeroMaxLtvAssetsInDeposits',
      'a deposit that backs nothing must go first',
    );
  }
  if (debt > 0n && obligation.lowestReserveDepositMaxLtvPct < reserve.config.loanToValuePct) {
    throw klendRejection('LowestLtvAssetsPriority', 'the weakest deposit must go first');
  }
  if (obligation.depositedValueSf === 0n) {
    if (debt > 0n)
      throw klendRejection('LiabilitiesBiggerThanAssets', 'nothing would back the debt');
    return;
  }
  const ltv = loanToValue(obligation);
  if (ltv > initialLtv) throw klendRejection('WorseLtvBlocked', 'the loan-to-value would rise');
  if (ltv >= unhealthyLoanToValue(obligation)) {
    throw klendRejection('WorseLtvThanUnhealthyLtv', 'the loan could be liquidated at once');
  }
}

/** Fees of two refreshes. */
export function addedFees(a: ReferrerFees, b: ReferrerFees): ReferrerFees {
  const sum = new Map(a);
  for (const [reserve, fee] of b) sum.set(reserve, addSf(sum.get(reserve) ?? ZERO_SF, fee));
  return sum;
}
