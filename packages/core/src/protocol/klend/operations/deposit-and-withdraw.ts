import type { Address } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import { klendRefuses } from '../errors.ts';
import { groupOf } from '../math/elevation-group.ts';
import type { DepositTerms } from '../math/exchange-rate.ts';
import { loanToValue } from '../math/health.ts';
import { deposit, requireGroupCount } from './deposit.ts';
import {
  isDeposit,
  type Position,
  type Reserves,
  reserveOf,
  stale,
  type Terms,
  withReserve,
} from './position.ts';
import type { ReferrerFees } from './refresh-borrows.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { bringToSlot, markCrossedLimits } from './refresh-reserve.ts';
import { addedFees, requireNoWorse } from './repay-and-withdraw.ts';
import { type Withdrawn, withdraw } from './withdraw.ts';

export type DepositAndWithdrawRequest = {
  readonly depositReserve: Address;
  readonly amount: bigint;
  readonly withdrawReserve: Address;
  /** cTokens. */
  readonly collateral: bigint;
};

export type DepositedAndWithdrawn = Withdrawn & {
  readonly deposited: DepositTerms;
  readonly referrerFees: ReferrerFees;
};

/** One instruction that swaps a deposit for another: up to the liquidation threshold, if the loan gets no worse. */
export function depositAndWithdraw(
  position: Position,
  terms: Terms,
  request: DepositAndWithdrawRequest,
): DepositedAndWithdrawn {
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
  const reserve = stale(reserveOf(last.reserves, withdrawReserve));
  requireNoWorse(last.obligation, reserve, initialLtv);
  const group = groupOf(terms.market, last.obligation.elevationGroup);
  if (group !== undefined) {
    requireGroupCount(group, last.obligation.deposits.filter(isDeposit).length);
  }
  return {
    ...taken,
    obligation: stale(last.obligation),
    reserves: withReserve(last.reserves, withdrawReserve, reserve),
    deposited: { collateral: supplied.collateral, liquidity: supplied.liquidity },
    referrerFees: addedFees(refreshed.referrerFees, last.referrerFees),
  };
}

/** What is refused before anything moves. Gives the loan-to-value that must not rise. */
function requireSwap(
  { obligation }: Position,
  { depositReserve, withdrawReserve }: DepositAndWithdrawRequest,
): Sf {
  if (depositReserve === withdrawReserve) {
    throw klendRefuses('CannotUseSameReserve', 'both are the same reserve');
  }
  if (obligation.depositedValueSf === 0n) {
    throw klendRefuses('ObligationDepositsEmpty', 'it has nothing to withdraw');
  }
  return loanToValue(obligation);
}

function refreshedReserve(reserves: Reserves, terms: Terms, address: Address): Reserves {
  const current = bringToSlot(reserveOf(reserves, address), terms);
  return withReserve(reserves, address, markCrossedLimits(current, terms.time.unix));
}
