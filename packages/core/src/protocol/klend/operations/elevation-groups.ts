import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { divSf } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import { type Obligation, obligation } from '../layout/obligation.ts';
import { updateTime } from '../math/accrual/accrual-duration.ts';
import { type ElevationGroup, findElevationGroup, loanToValue } from '../math/health.ts';
import { requireRefreshedDeposits } from './borrow.ts';
import { clearDebtTrackers } from './debt-trackers.ts';
import {
  hasBorrows,
  isBorrow,
  isDeposit,
  type LendingContext,
  markStale,
  type ObligationPosition,
  type ReserveMap,
  reserveOf,
  withAssetTiers,
} from './position.ts';
import { refreshBorrows } from './refresh/refresh-borrows.ts';
import { type RefreshedPosition, refreshDeposits } from './refresh/refresh-obligation.ts';

/** Moves the obligation to another elevation group. 0 leaves its group. */
export function requestElevationGroup(
  position: ObligationPosition,
  context: LendingContext,
  id: number,
): RefreshedPosition {
  const { obligation } = position;
  requireRefreshedDeposits(obligation, context);
  if (obligation.elevationGroup === id) {
    throw klendRejection(
      'ElevationGroupAlreadyActivated',
      `the obligation is already in group ${id}`,
    );
  }
  const group = findElevationGroup(context.market, id);
  if (group !== undefined) requireJoinable(obligation, group);
  const cleared = clearDebtTrackers(position);
  const borrowed = refreshBorrows(cleared, context, group);
  const deposited = refreshDeposits({ ...cleared, reserves: borrowed.reserves }, context, {
    group,
    groupDebt: borrowed.groupDebt,
  });
  const { allowed, deposited: value } = deposited.sums;
  if (allowed < borrowed.adjustedValue) {
    throw klendRejection(
      'UnhealthyElevationGroupLtv',
      'the deposits do not cover the debt in that group',
    );
  }
  const marked = obligation.autodeleverageMarginCallStartedTimestamp !== 0n;
  if (marked && divSf(borrowed.adjustedValue, value) > loanToValue(obligation)) {
    throw klendRejection('WorseLtvBlocked', 'the loan-to-value would rise');
  }
  const after = markStale({
    ...cleared.obligation,
    borrows: borrowed.borrows,
    deposits: deposited.deposits,
    hasDebt: borrowed.borrows.some(isBorrow) ? 1 : obligation.hasDebt,
    elevationGroup: id,
    borrowingDisabled: deposited.borrowingDisabled ? 1 : 0,
  });
  requireWithinLimits(after, deposited.reserves);
  return {
    obligation: after,
    reserves: deposited.reserves,
    referrerFees: borrowed.referrerFees,
  };
}

function requireJoinable(obligation: Obligation, group: ElevationGroup): void {
  if (group.allowNewLoans === 0) {
    throw klendRejection(
      'ElevationGroupNewLoansDisabled',
      `group ${group.id} does not accept new loans`,
    );
  }
  if (group.debtReserve === ZERO_ADDRESS) {
    throw klendRejection(
      'ElevationGroupWithoutDebtReserve',
      `group ${group.id} has no debt reserve`,
    );
  }
  if (group.maxReservesAsCollateral === 0) {
    throw klendRejection(
      'ElevationGroupMaxCollateralReserveZero',
      `group ${group.id} is not configured`,
    );
  }
  if (obligation.deposits.filter(isDeposit).length > group.maxReservesAsCollateral) {
    const reason = `the group allows only ${group.maxReservesAsCollateral} deposits`;
    throw klendRejection('ObligationCollateralExceedsElevationGroupLimit', reason);
  }
}

/** Checks the limits of the debt outside groups, or against each deposit in the group. */
function requireWithinLimits(obligation: Obligation, reserves: ReserveMap): void {
  const id = obligation.elevationGroup;
  const exceeded =
    id === 0
      ? obligation.borrows.filter(isBorrow).some(({ borrowReserve }) => {
          const reserve = reserveOf(reserves, borrowReserve);
          const limit = reserve.config.borrowLimitOutsideElevationGroup;
          return reserve.borrowedAmountOutsideElevationGroup > limit;
        })
      : obligation.deposits.filter(isDeposit).some(({ depositReserve }) => {
          const reserve = reserveOf(reserves, depositReserve);
          const counters = reserve.borrowedAmountsAgainstThisReserveInElevationGroups;
          const limits = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup;
          return (counters[id - 1] ?? 0n) > (limits[id - 1] ?? 0n);
        });
  if (exceeded)
    throw klendRejection('ElevationGroupBorrowLimitExceeded', 'the debt exceeds a limit');
  if (id === 0 && hasBorrows(obligation) && obligation.borrowingDisabled > 0) {
    throw klendRejection(
      'BorrowingDisabledOutsideElevationGroup',
      'a deposit is collateral only in elevation groups',
    );
  }
}

export type NewObligation = {
  readonly owner: Address;
  readonly market: Address;
  readonly tag: number;
  /** From the owner's user metadata. */
  readonly referrer: Address;
};

/** Creates an obligation without positions. It must be refreshed before its first use. */
export function initObligation(request: NewObligation, context: LendingContext): Obligation {
  const { body } = obligation;
  const empty = body.decode(new DataView(new ArrayBuffer(body.size)), 0);
  return withAssetTiers(
    {
      ...empty,
      tag: BigInt(request.tag),
      lastUpdate: { ...updateTime(empty.lastUpdate, context.time, context.rules), stale: 1 },
      lendingMarket: request.market,
      owner: request.owner,
      referrer: request.referrer,
    },
    context,
  );
}
