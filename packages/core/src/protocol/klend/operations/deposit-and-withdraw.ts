import type { Address } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import { findElevationGroup } from '../math/elevation-group.ts';
import type { DepositAmounts } from '../math/exchange-rate.ts';
import { loanToValue } from '../math/health.ts';
import { deposit, requireGroupDepositLimit } from './deposit.ts';
import {
  isDeposit,
  type LendingContext,
  markStale,
  type ObligationPosition,
  type ReserveMap,
  reserveOf,
  withReserve,
} from './position.ts';
import type { ReferrerFees } from './refresh-borrows.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { accrueReserveToSlot, markCrossedLimits } from './refresh-reserve.ts';
import { addedFees, requireLtvNotWorse } from './repay-and-withdraw.ts';
import { type WithdrawResult, withdraw } from './withdraw.ts';

export type DepositAndWithdrawRequest = {
  readonly depositReserve: Address;
  readonly amount: bigint;
  readonly withdrawReserve: Address;
  /** cTokens. */
  readonly collateral: bigint;
};

export type DepositAndWithdrawResult = WithdrawResult & {
  readonly deposited: DepositAmounts;
  readonly referrerFees: ReferrerFees;
};

/** One instruction that swaps a deposit for another: up to the liquidation threshold, if the loan gets no worse. */
export function depositAndWithdraw(
  position: ObligationPosition,
  terms: LendingContext,
  request: DepositAndWithdrawRequest,
): DepositAndWithdrawResult {
  const { depositReserve, withdrawReserve, amount } = request;
  const initialLtv = requireSwap(position, request);
  const supplied = deposit(position, terms, {
    reserve: depositReserve,
    amount,
    groupCount: 'later',
  });
  const refreshed = refreshObligation(
    { ...supplied, reserves: refreshedReserve(supplied.reserves, terms, depositReserve) },
    terms,
  );
  const taken = withdraw(refreshed, terms, {
    reserve: withdrawReserve,
    collateral: request.collateral,
    limit: 'liquidation threshold',
  });
  const reserves = refreshedReserve(taken.reserves, terms, withdrawReserve);
  const last = refreshObligation({ obligation: taken.obligation, reserves }, terms);
  const reserve = markStale(reserveOf(last.reserves, withdrawReserve));
  requireLtvNotWorse(last.obligation, reserve, initialLtv);
  const group = findElevationGroup(terms.market, last.obligation.elevationGroup);
  if (group !== undefined) {
    requireGroupDepositLimit(group, last.obligation.deposits.filter(isDeposit).length);
  }
  return {
    ...taken,
    obligation: markStale(last.obligation),
    reserves: withReserve(last.reserves, withdrawReserve, reserve),
    deposited: { collateral: supplied.collateral, liquidity: supplied.liquidity },
    referrerFees: addedFees(refreshed.referrerFees, last.referrerFees),
  };
}

/** What is refused before anything moves. Gives the loan-to-value that must not rise. */
function requireSwap(
  { obligation }: ObligationPosition,
  { depositReserve, withdrawReserve }: DepositAndWithdrawRequest,
): Sf {
  if (depositReserve === withdrawReserve) {
    throw klendRejection('CannotUseSameReserve', 'both are the same reserve');
  }
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsEmpty', 'it has nothing to withdraw');
  }
  return loanToValue(obligation);
}

function refreshedReserve(
  reserves: ReserveMap,
  terms: LendingContext,
  address: Address,
): ReserveMap {
  const current = accrueReserveToSlot(reserveOf(reserves, address), terms);
  return withReserve(reserves, address, markCrossedLimits(current, terms.time.unix));
}
