import type { Address } from '../../../base/encoding/address.ts';
import { addSf, type Sf, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import type { DepositAmounts } from '../math/exchange-rate.ts';
import { findElevationGroup, loanToValue, unhealthyLoanToValue } from '../math/health.ts';
import { deposit, requireGroupDepositLimit } from './deposit.ts';
import {
  isBorrow,
  isDeposit,
  type LendingContext,
  markStale,
  type ObligationPosition,
  type ReserveMap,
  reserveOf,
  withReserve,
} from './position.ts';
import type { ReferrerFees } from './refresh/refresh-borrows.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { accrueReserveToSlot, markCrossedLimits } from './refresh/refresh-reserve.ts';
import { type RepayResult, repay } from './repay.ts';
import { type WithdrawResult, withdraw } from './withdraw.ts';

export type RepayAndWithdrawRequest = {
  readonly repayReserve: Address;
  readonly repayAmount: bigint;
  readonly withdrawReserve: Address;
  readonly collateral: bigint;
};

export type RepayAndWithdrawResult = WithdrawResult &
  Pick<RepayResult, 'settledDebt' | 'repaid'> & { readonly referrerFees: ReferrerFees };

/** The `repayAndWithdrawAndRedeem` instruction: withdraws up to the liquidation threshold if the LTV does not rise. */
export function repayAndWithdraw(
  position: ObligationPosition,
  context: LendingContext,
  request: RepayAndWithdrawRequest,
): RepayAndWithdrawResult {
  const { repayReserve, withdrawReserve } = request;
  if (position.obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsEmpty', 'the obligation has no deposits');
  }
  const initialLtv = loanToValue(position.obligation);
  const paid = repay(position, context, { reserve: repayReserve, amount: request.repayAmount });
  // Not refreshed after a full repayment: the program then rejects a deposit in that reserve as stale.
  const isRefreshed = owes(paid.obligation, repayReserve) || repayReserve === withdrawReserve;
  const refreshed = refreshObligation(
    isRefreshed ? accrueReserve(paid, context, repayReserve) : paid,
    context,
  );
  const withdrawn = withdraw(refreshed, context, {
    reserve: withdrawReserve,
    collateral: request.collateral,
    limit: 'liquidation threshold',
  });
  const { settledDebt, repaid } = paid;
  if (withdrawn.closes) {
    return { ...withdrawn, settledDebt, repaid, referrerFees: refreshed.referrerFees };
  }
  const isStillUsed = uses(withdrawn.obligation, withdrawReserve);
  const last = refreshObligation(
    isStillUsed ? accrueReserve(withdrawn, context, withdrawReserve) : withdrawn,
    context,
  );
  const left = reserveOf(last.reserves, withdrawReserve);
  const reserve = context.rules.reserveAfterCombinedWithdrawal === 'stale' ? markStale(left) : left;
  requireLtvNotWorse(last.obligation, reserve, initialLtv);
  return {
    ...withdrawn,
    obligation: markStale(last.obligation),
    reserves: withReserve(last.reserves, withdrawReserve, reserve),
    settledDebt,
    repaid,
    referrerFees: addFees(refreshed.referrerFees, last.referrerFees),
  };
}

const owes = (obligation: Obligation, reserve: Address): boolean =>
  obligation.borrows.some((borrow) => isBorrow(borrow) && borrow.borrowReserve === reserve);

const uses = (obligation: Obligation, reserve: Address): boolean =>
  owes(obligation, reserve) ||
  obligation.deposits.some((deposit) => isDeposit(deposit) && deposit.depositReserve === reserve);

function accrueReserve(
  position: ObligationPosition,
  context: LendingContext,
  address: Address,
): ObligationPosition {
  const reserve = accrueReserveToSlot(reserveOf(position.reserves, address), context);
  return { ...position, reserves: withReserve(position.reserves, address, reserve) };
}

/** Checks the result of a withdrawal up to the liquidation threshold. */
export function requireLtvNotWorse(obligation: Obligation, reserve: Reserve, initialLtv: Sf): void {
  const debt = obligation.borrowFactorAdjustedDebtValueSf;
  if (debt > 0n && obligation.lowestReserveDepositMaxLtvPct === 0) {
    throw klendRejection('ZeroMaxLtvAssetsInDeposits', 'withdraw the deposits without LTV first');
  }
  if (debt > 0n && obligation.lowestReserveDepositMaxLtvPct < reserve.config.loanToValuePct) {
    throw klendRejection(
      'LowestLtvAssetsPriority',
      'withdraw the deposit with the lowest LTV first',
    );
  }
  if (obligation.depositedValueSf === 0n) {
    if (debt > 0n)
      throw klendRejection('LiabilitiesBiggerThanAssets', 'the debt would have no collateral');
    return;
  }
  const ltv = loanToValue(obligation);
  if (ltv > initialLtv) throw klendRejection('WorseLtvBlocked', 'the loan-to-value would rise');
  if (ltv >= unhealthyLoanToValue(obligation)) {
    throw klendRejection('WorseLtvThanUnhealthyLtv', 'the loan would be liquidatable');
  }
}

/** Adds the fees of two refreshes. */
export function addFees(a: ReferrerFees, b: ReferrerFees): ReferrerFees {
  const sum = new Map(a);
  for (const [reserve, fee] of b) sum.set(reserve, addSf(sum.get(reserve) ?? ZERO_SF, fee));
  return sum;
}

export type DepositAndWithdrawRequest = {
  readonly depositReserve: Address;
  readonly amount: bigint;
  readonly withdrawReserve: Address;
  /** In cTokens. */
  readonly collateral: bigint;
};

export type DepositAndWithdrawResult = WithdrawResult & {
  readonly deposited: DepositAmounts;
  readonly referrerFees: ReferrerFees;
};

/** The `depositAndWithdraw` instruction: swaps one deposit for another, up to the liquidation threshold if the LTV does not rise. */
export function depositAndWithdraw(
  position: ObligationPosition,
  context: LendingContext,
  request: DepositAndWithdrawRequest,
): DepositAndWithdrawResult {
  const { depositReserve, withdrawReserve, amount } = request;
  const initialLtv = requireSwap(position, request);
  const supplied = deposit(position, context, {
    reserve: depositReserve,
    amount,
    groupCount: 'later',
  });
  const refreshed = refreshObligation(
    { ...supplied, reserves: refreshedReserve(supplied.reserves, context, depositReserve) },
    context,
  );
  const withdrawn = withdraw(refreshed, context, {
    reserve: withdrawReserve,
    collateral: request.collateral,
    limit: 'liquidation threshold',
  });
  const reserves = refreshedReserve(withdrawn.reserves, context, withdrawReserve);
  const last = refreshObligation({ obligation: withdrawn.obligation, reserves }, context);
  const reserve = markStale(reserveOf(last.reserves, withdrawReserve));
  requireLtvNotWorse(last.obligation, reserve, initialLtv);
  const group = findElevationGroup(context.market, last.obligation.elevationGroup);
  if (group !== undefined) {
    requireGroupDepositLimit(group, last.obligation.deposits.filter(isDeposit).length);
  }
  return {
    ...withdrawn,
    obligation: markStale(last.obligation),
    reserves: withReserve(last.reserves, withdrawReserve, reserve),
    deposited: { collateral: supplied.collateral, liquidity: supplied.liquidity },
    referrerFees: addFees(refreshed.referrerFees, last.referrerFees),
  };
}

/** Checks the request. Returns the loan-to-value that must not rise. */
function requireSwap(
  { obligation }: ObligationPosition,
  { depositReserve, withdrawReserve }: DepositAndWithdrawRequest,
): Sf {
  if (depositReserve === withdrawReserve) {
    throw klendRejection('CannotUseSameReserve', 'the two reserves are the same');
  }
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsEmpty', 'the obligation has no deposits');
  }
  return loanToValue(obligation);
}

function refreshedReserve(
  reserves: ReserveMap,
  context: LendingContext,
  address: Address,
): ReserveMap {
  const current = accrueReserveToSlot(reserveOf(reserves, address), context);
  return withReserve(reserves, address, markCrossedLimits(current, context.time.unix));
}
