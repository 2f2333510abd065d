import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type ElevationGroup, isInGroup } from '../math/elevation-group.ts';
import {
  elementAt,
  isDeposit,
  type ObligationBorrow,
  type ObligationDeposit,
  type ObligationPosition,
  type ReserveMap,
  reserveOf,
  withReserve,
} from './position.ts';

/**
 * The program counts, per reserve, how much is borrowed of it outside of groups and how much is
 * borrowed against it in each group. A debt counts rounded up, as of its last refresh.
 */
type BorrowAndReserve = { readonly borrow: ObligationBorrow; readonly reserve: Reserve };

type DepositAndReserve = {
  readonly deposit: ObligationDeposit;
  readonly reserve: Reserve;
  readonly address: Address;
};

/** Counts a debt outside of groups anew; leaves the counters alone for a debt in one. */
export function trackDebtOutsideGroups(
  { borrow, reserve }: BorrowAndReserve,
  amount: bigint | undefined,
): BorrowAndReserve {
  if (amount === undefined) return { borrow, reserve };
  const others = minus(
    reserve.borrowedAmountOutsideElevationGroup,
    borrow.borrowedAmountOutsideElevationGroups,
  );
  return {
    borrow: { ...borrow, borrowedAmountOutsideElevationGroups: toLamports(amount) },
    reserve: { ...reserve, borrowedAmountOutsideElevationGroup: toLamports(others + amount) },
  };
}

/** Counts a group's debt anew against one of its deposits. */
export function trackGroupDebt(
  { deposit, reserve, address }: DepositAndReserve,
  group: ElevationGroup | undefined,
  amount: bigint,
): DepositAndReserve {
  if (group === undefined) return { deposit, reserve, address };
  if (!isInGroup(reserve.config, group)) {
    throw klendRejection('InconsistentElevationGroup', `${address} is not in group ${group.id}`);
  }
  if (address === group.debtReserve) {
    throw klendRejection('ElevationGroupDebtReserveAsCollateral', `${address} is what it lends`);
  }
  const own = deposit.borrowedAmountAgainstThisCollateralInElevationGroup;
  return {
    address,
    deposit: {
      ...deposit,
      borrowedAmountAgainstThisCollateralInElevationGroup: toLamports(amount),
    },
    reserve: withGroupDebt(reserve, group.id, (all) => toLamports(minus(all, own) + amount)),
  };
}

/** A debt of an obligation: its place there and its reserve. */
export type DebtLocation = { readonly borrow: number; readonly reserve: Address };

/** Adds a new loan to the counters; refused above their limits. */
export function trackNewDebt(
  position: ObligationPosition,
  place: DebtLocation,
  amount: bigint,
): ObligationPosition {
  const group = position.obligation.elevationGroup;
  if (group !== 0) return trackInGroup(position, (all) => withinGroupLimit(all, amount, group));
  return trackOutside(position, place, ({ own, all, reserve }) => {
    const limit = reserve.config.borrowLimitOutsideElevationGroup;
    const total = all + amount;
    if (total > limit) {
      const reason = `${total} outside of groups, the limit is ${limit}`;
      throw klendRejection('BorrowLimitExceeded', reason);
    }
    return { own: toLamports(own + amount), all: toLamports(total) };
  });
}

/** Takes a repayment off the counters. */
export function trackRepaidDebt(
  position: ObligationPosition,
  place: DebtLocation,
  amount: bigint,
): ObligationPosition {
  const repaid = ({ own, all }: Counters): Counters => ({
    own: toLamports(minus(own, amount)),
    all: toLamports(minus(all, amount)),
  });
  return position.obligation.elevationGroup === 0
    ? trackOutside(position, place, repaid)
    : trackInGroup(position, repaid);
}

/** Takes all of an obligation's debt off the counters, before it changes its group. */
export function clearDebtTrackers(position: ObligationPosition): ObligationPosition {
  const { obligation, reserves } = position;
  if (obligation.elevationGroup !== 0) {
    return trackInGroup(position, ({ own, all }) => ({
      own: toLamports(0n),
      all: toLamports(minus(all, own)),
    }));
  }
  let cleared = reserves;
  const borrows = obligation.borrows.map((borrow) => {
    const own = borrow.borrowedAmountOutsideElevationGroups;
    if (own === 0n) return borrow;
    const reserve = reserveOf(cleared, borrow.borrowReserve);
    const left = minus(reserve.borrowedAmountOutsideElevationGroup, own);
    cleared = withReserve(cleared, borrow.borrowReserve, {
      ...reserve,
      borrowedAmountOutsideElevationGroup: toLamports(left),
    });
    return { ...borrow, borrowedAmountOutsideElevationGroups: toLamports(0n) };
  });
  return { obligation: { ...obligation, borrows }, reserves: cleared };
}

/** Changes what is counted against a reserve in a group. */
export function withGroupDebt(
  reserve: Reserve,
  groupId: number,
  change: (all: Lamports) => Lamports,
): Reserve {
  const counters = reserve.borrowedAmountsAgainstThisReserveInElevationGroups;
  return {
    ...reserve,
    borrowedAmountsAgainstThisReserveInElevationGroups: counters.map((all, i) =>
      i === groupId - 1 ? change(all) : all,
    ),
  };
}

/** What is counted of one obligation, and of all of them. */
type Counters = { readonly own: Lamports; readonly all: Lamports };

type CountersChange = (counters: Counters & { readonly reserve: Reserve }) => Counters;

/** Applies a change to the counters of a debt outside of groups. */
function trackOutside(
  { obligation, reserves }: ObligationPosition,
  place: DebtLocation,
  change: CountersChange,
): ObligationPosition {
  const reserve = reserveOf(reserves, place.reserve);
  const debt = elementAt(obligation.borrows, place.borrow);
  const { own, all } = change({
    own: debt.borrowedAmountOutsideElevationGroups,
    all: reserve.borrowedAmountOutsideElevationGroup,
    reserve,
  });
  const tracked = { ...debt, borrowedAmountOutsideElevationGroups: own };
  return {
    obligation: { ...obligation, borrows: obligation.borrows.with(place.borrow, tracked) },
    reserves: withReserve(reserves, place.reserve, {
      ...reserve,
      borrowedAmountOutsideElevationGroup: all,
    }),
  };
}

/** Applies a change to the counters of every deposit of the obligation. */
function trackInGroup(
  { obligation, reserves }: ObligationPosition,
  change: CountersChange,
): ObligationPosition {
  let tracked: ReserveMap = reserves;
  const groupId = obligation.elevationGroup;
  const deposits = obligation.deposits.map((deposit) => {
    if (!isDeposit(deposit)) return deposit;
    const reserve = reserveOf(tracked, deposit.depositReserve);
    const all = reserve.borrowedAmountsAgainstThisReserveInElevationGroups[groupId - 1];
    const own = deposit.borrowedAmountAgainstThisCollateralInElevationGroup;
    const changed = change({ own, all: all ?? toLamports(0n), reserve });
    tracked = withReserve(
      tracked,
      deposit.depositReserve,
      withGroupDebt(reserve, groupId, () => changed.all),
    );
    return { ...deposit, borrowedAmountAgainstThisCollateralInElevationGroup: changed.own };
  });
  return { obligation: { ...obligation, deposits }, reserves: tracked };
}

function withinGroupLimit(
  { own, all, reserve }: Counters & { readonly reserve: Reserve },
  amount: bigint,
  groupId: number,
): Counters {
  const limits = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup;
  const limit = limits[groupId - 1] ?? 0n;
  if (all + amount > limit) {
    const reason = `${all + amount} against a deposit in group ${groupId}, the limit is ${limit}`;
    throw klendRejection('ElevationGroupBorrowLimitExceeded', reason);
  }
  return { own: toLamports(own + amount), all: toLamports(all + amount) };
}

/** Counters never go below zero. */
const minus = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n);
