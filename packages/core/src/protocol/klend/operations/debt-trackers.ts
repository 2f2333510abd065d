import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { RejectionFigures } from '../../../base/solana/rejection-figures.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type ElevationGroup, isInGroup } from '../math/health.ts';
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
 * The program counts per reserve the debt outside elevation groups and the debt against it in each group. A debt
 * counts as of its last refresh, rounded up.
 */
type BorrowAndReserve = { readonly borrow: ObligationBorrow; readonly reserve: Reserve };

type DepositAndReserve = {
  readonly deposit: ObligationDeposit;
  readonly reserve: Reserve;
  readonly address: Address;
};

/** Updates the counters of a debt outside groups. A debt in a group does not change them. */
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

/** Updates the counters of a group's debt against one of its deposits. */
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
    throw klendRejection(
      'ElevationGroupDebtReserveAsCollateral',
      `${address} is the debt reserve of the group`,
    );
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

/** A debt of an obligation: its index and its reserve. */
export type DebtLocation = { readonly borrow: number; readonly reserve: Address };

/** Adds a new loan to the counters. Throws above their limits. */
export function trackNewDebt(
  position: ObligationPosition,
  index: DebtLocation,
  amount: bigint,
): ObligationPosition {
  const group = position.obligation.elevationGroup;
  if (group !== 0) return trackInGroup(position, (all) => withinGroupLimit(all, amount, group));
  return trackOutside(position, index, ({ own, all, reserve }) => {
    const limit = reserve.config.borrowLimitOutsideElevationGroup;
    const total = all + amount;
    if (total > limit) {
      const reason = `the debt outside groups of ${total} exceeds the limit of ${limit}`;
      const figures = limitFigures({ needed: amount, used: all, limit });
      throw klendRejection('BorrowLimitExceeded', reason, figures);
    }
    return { own: toLamports(own + amount), all: toLamports(total) };
  });
}

/** Subtracts a repayment from the counters. */
export function trackRepaidDebt(
  position: ObligationPosition,
  index: DebtLocation,
  amount: bigint,
): ObligationPosition {
  const repaid = ({ own, all }: Counters): Counters => ({
    own: toLamports(minus(own, amount)),
    all: toLamports(minus(all, amount)),
  });
  return position.obligation.elevationGroup === 0
    ? trackOutside(position, index, repaid)
    : trackInGroup(position, repaid);
}

/** Subtracts all debt of an obligation from the counters before it changes its group. */
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

/** Changes the debt counter against a reserve in a group. */
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

/** The counters of one obligation and of all obligations. */
type Counters = { readonly own: Lamports; readonly all: Lamports };

type CountersChange = (counters: Counters & { readonly reserve: Reserve }) => Counters;

/** Applies a change to the counters of a debt outside groups. */
function trackOutside(
  { obligation, reserves }: ObligationPosition,
  index: DebtLocation,
  change: CountersChange,
): ObligationPosition {
  const reserve = reserveOf(reserves, index.reserve);
  const debt = elementAt(obligation.borrows, index.borrow);
  const { own, all } = change({
    own: debt.borrowedAmountOutsideElevationGroups,
    all: reserve.borrowedAmountOutsideElevationGroup,
    reserve,
  });
  const tracked = { ...debt, borrowedAmountOutsideElevationGroups: own };
  return {
    obligation: { ...obligation, borrows: obligation.borrows.with(index.borrow, tracked) },
    reserves: withReserve(reserves, index.reserve, {
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
    const reason = `the debt of ${all + amount} against a deposit in group ${groupId} exceeds the limit of ${limit}`;
    const figures = limitFigures({ needed: amount, used: all, limit });
    throw klendRejection('ElevationGroupBorrowLimitExceeded', reason, figures);
  }
  return { own: toLamports(own + amount), all: toLamports(all + amount) };
}

/** Counters saturate at zero. */
const minus = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n);

const limitFigures = ({
  needed,
  used,
  limit,
}: Record<'needed' | 'used' | 'limit', bigint>): RejectionFigures => ({
  unit: 'token',
  needed,
  available: minus(limit, used),
  limit,
});
