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
import type { ReferrerFees } from './refresh/refresh-borrows.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { accrueReserveToSlot, markCrossedLimits } from './refresh/refresh-reserve.ts';
import { addFees, requireLtvNotWorse } from './repay-and-withdraw.ts';
import { type WithdrawResult, withdraw } from './withdraw.ts';

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
