import type { Address } from '../../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  minSf,
  mulSf,
  type Sf,
  sfFromInt,
  sfFromPercent,
  subSf,
  subSfToZero,
} from '../../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../../errors.ts';
import type { Obligation } from '../../layout/obligation.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { remainingBorrowValue } from '../../math/health.ts';
import { type BorrowCapacity, borrowCapacity, maxLoan } from '../../math/limits.ts';
import { borrowFactor, marketValue, queuedLiquidity } from '../../math/liquidity.ts';
import { utilization } from '../../math/supply.ts';
import { addToWithdrawalAccum, subFromWithdrawalAccum } from '../../math/withdrawal-caps.ts';
import { openBorrow, requireBorrowable } from '../borrow.ts';
import { requireCompatibleOrders } from '../obligation-orders.ts';
import {
  elementAt,
  findBorrowIndex,
  findOrAllocateIndex,
  type LendingContext,
  markStale,
  type ObligationBorrow,
  type ObligationPosition,
  requireFresh,
  requireOpenReserve,
  reserveOf,
} from '../position.ts';
import { withLimitTimestamps } from '../refresh/refresh-reserve.ts';
import { receiveRepayment, reduceDebt } from '../repay.ts';
import { hasEqualRollover } from './borrow-orders.ts';
import { requireRolloverAllowed, termEnd } from './rollover-rules.ts';

export type RolloverRequest = { readonly source: Address; readonly target: Address };

/** `moved`: tokens that the new reserve lends to the old one; none if the debt stays where it is. */
export type RolloverResult = ObligationPosition & { readonly moved: Lamports };

/** Moves a debt into a reserve with terms that its owner accepts, or starts its term again in its reserve. */
export function rollover(
  position: ObligationPosition,
  context: LendingContext,
  request: RolloverRequest,
): RolloverResult {
  const { obligation, reserves } = position;
  const [source, target] = [
    reserveOf(reserves, request.source),
    reserveOf(reserves, request.target),
  ];
  requireOpenReserve(context, source);
  requireOpenReserve(context, target);
  const index = findBorrowIndex(obligation, request.source);
  const debt = elementAt(obligation.borrows, index);
  if (obligation.elevationGroup !== 0) {
    throw klendRejection('RolloverNotSupportedInElevationGroup', 'leave the elevation group first');
  }
  requireFresh(source, context, { what: 'Reserve', checks: 0 });
  requireFresh(obligation, context, { what: 'Obligation', checks: 0 });
  requireBorrowable(obligation, target, context);
  requireRolloverAllowed(debt, context, { source, target });
  return request.source === request.target
    ? restartTerm(position, context, { address: request.source, index })
    : moveDebt(position, context, { ...request, index });
}

/** Within one reserve only the start of the term changes. The reserve must be able to lend the amount again. */
function restartTerm(
  position: ObligationPosition,
  context: LendingContext,
  { address, index }: { readonly address: Address; readonly index: number },
): RolloverResult {
  const { obligation, reserves } = position;
  const reserve = reserveOf(reserves, address);
  const debt = elementAt(obligation.borrows, index);
  requireRelendable(reserve, debt, context);
  const restarted = {
    ...debt,
    lastBorrowedAtTimestamp: context.time.unix,
    borrowedAmountAtExpiration: toLamports(0n),
  };
  const borrows = obligation.borrows.with(index, restarted);
  return { obligation: markStale({ ...obligation, borrows }), reserves, moved: toLamports(0n) };
}

function requireRelendable(
  reserve: Reserve,
  debt: ObligationBorrow,
  { rules }: LendingContext,
): void {
  const { liquidity, config, borrowedAmountOutsideElevationGroup: outside } = reserve;
  const owed = debt.borrowedAmountSf;
  const afterRepayment = addSf(sfFromInt(liquidity.totalAvailableAmount), owed);
  if (owed > subSfToZero(afterRepayment, sfFromInt(queuedLiquidity(reserve, rules)))) {
    throw klendRejection('InsufficientLiquidity', 'queued withdrawals need the liquidity');
  }
  if (liquidity.borrowedAmountSf > sfFromInt(config.borrowLimit)) {
    throw klendRejection('BorrowLimitExceeded', 'the reserve is above its borrow limit');
  }
  const limitPct = config.utilizationLimitBlockBorrowingAbovePct;
  if (limitPct !== 0 && utilization(liquidity) >= sfFromPercent(BigInt(limitPct))) {
    const reason = `the utilization is above ${limitPct} %`;
    throw klendRejection('BorrowingAboveUtilizationRateDisabled', reason);
  }
  if (outside > config.borrowLimitOutsideElevationGroup) {
    const reason = 'the debt outside groups is above its limit';
    throw klendRejection('ElevationGroupBorrowLimitExceeded', reason);
  }
}

type Move = RolloverRequest & { readonly index: number };

function moveDebt(
  position: ObligationPosition,
  context: LendingContext,
  { source, target, index }: Move,
): RolloverResult {
  const { obligation, reserves } = position;
  const debt = elementAt(obligation.borrows, index);
  const [from, to] = [reserveOf(reserves, source), reserveOf(reserves, target)];
  requireProlongs(obligation, debt, { from, to, target });
  const moved = movedTokens(debt.borrowedAmountSf, to, context);
  const repaid = minSf(sfFromInt(moved), debt.borrowedAmountSf);
  requireWithinLimit(obligation, to, subSf(sfFromInt(moved), repaid));
  const left = receiveRepayment(from, { settledDebt: repaid, repaid: moved });
  const reduced = reduceDebt(obligation, index, repaid);
  const opened = openTarget(reduced, { to, target, debt, moved, context });
  requireCompatibleOrders(opened);
  const now = context.time.unix;
  const paid = {
    ...left,
    borrowedAmountOutsideElevationGroup: toLamports(
      lessOrZero(left.borrowedAmountOutsideElevationGroup, moved),
    ),
    config: {
      ...left.config,
      debtWithdrawalCap: subFromWithdrawalAccum(left.config.debtWithdrawalCap, moved, now),
    },
  };
  const changed = [
    [source, paid],
    [target, lendMoved(to, moved, context)],
  ] as const;
  const after = new Map(reserves);
  for (const [address, reserve] of changed) {
    after.set(address, markStale(withLimitTimestamps(reserve, context)));
  }
  return { obligation: markStale(countedSource(opened, source, moved)), reserves: after, moved };
}

/** All of the debt rounded up, or what the new reserve can lend if that is worth enough. */
function movedTokens(owed: Sf, to: Reserve, { market, time, rules }: LendingContext): Lamports {
  const capacity = borrowCapacity(to, time.unix, rules);
  requireCapacity(capacity);
  const most = maxLoan(capacity, false);
  const all = ceilSf(owed);
  const moved = toLamports(most < all ? most : all);
  const isPartial = sfFromInt(moved) < owed;
  const value = marketValue(to.liquidity, sfFromInt(moved));
  if (isPartial && value < sfFromInt(market.minPartialRolloverValue)) {
    throw klendRejection('PartialRolloverValueTooSmall', `only ${moved} lamports can be moved`);
  }
  return moved;
}

function requireCapacity(capacity: BorrowCapacity): void {
  const limits = [
    [capacity.liquidity, 'InsufficientLiquidity'],
    [capacity.borrowLimit, 'BorrowLimitExceeded'],
    [capacity.outsideGroups, 'ElevationGroupBorrowLimitExceeded'],
    [capacity.utilization, 'BorrowingAboveUtilizationRateDisabled'],
    [capacity.withdrawalCap, 'WithdrawalCapReached'],
  ] as const;
  for (const [room, name] of limits) {
    if (room === 0n) throw klendRejection(name, 'the new reserve can lend nothing');
  }
}

/** Rounding up can raise the debt by less than a lamport. */
function requireWithinLimit(obligation: Obligation, to: Reserve, increase: Sf): void {
  const value = marketValue(to.liquidity, increase);
  const adjusted = mulSf(value, borrowFactor(to.config.borrowFactorPct, false));
  if (adjusted <= remainingBorrowValue(obligation)) return;
  throw klendRejection('BorrowTooLarge', 'the deposits do not allow more debt');
}

/** A debt that the obligation already has in the new reserve must have the same settings and a later end. */
function requireProlongs(
  obligation: Obligation,
  debt: ObligationBorrow,
  { from, to, target }: { readonly from: Reserve; readonly to: Reserve; readonly target: Address },
): void {
  const existing = obligation.borrows.find((each) => each.borrowReserve === target);
  if (existing === undefined) return;
  const { fixedTermBorrowRolloverConfig: settings } = existing;
  if (!hasEqualRollover(debt.fixedTermBorrowRolloverConfig, settings)) {
    const reason = 'the debts are rolled over under other terms';
    throw klendRejection('ObligationBorrowRolloverConfigMismatch', reason);
  }
  const [end, other] = [termEnd(debt, from.config), termEnd(existing, to.config)];
  if (end === undefined || other === undefined || other > end) return;
  const reason = 'the other debt ends no later';
  throw klendRejection('ObligationBorrowRolloverMustProlongDebtTerm', reason);
}

type Opening = {
  readonly to: Reserve;
  readonly target: Address;
  readonly debt: ObligationBorrow;
  readonly moved: Lamports;
  readonly context: LendingContext;
};

/** The settings of the debt stay if the new reserve has a term, or if the debt may go back to one. */
function openTarget(obligation: Obligation, opening: Opening): Obligation {
  const { to, target, debt, moved, context } = opening;
  const addresses = obligation.borrows.map(({ borrowReserve }) => borrowReserve);
  const { index, isNew } = findOrAllocateIndex(addresses, target);
  const entry = elementAt(obligation.borrows, index);
  const opened = isNew ? openBorrow(entry, target, to) : entry;
  const rolloverConfig = debt.fixedTermBorrowRolloverConfig;
  const isRetained =
    to.config.debtTermSeconds !== 0n || rolloverConfig.migrationToFixedEnabled !== 0;
  const changed: ObligationBorrow = {
    ...opened,
    borrowedAmountSf: addSf(opened.borrowedAmountSf, sfFromInt(moved)),
    lastBorrowedAtTimestamp: context.time.unix,
    borrowedAmountAtExpiration: toLamports(0n),
    borrowedAmountOutsideElevationGroups: toLamports(
      opened.borrowedAmountOutsideElevationGroups + moved,
    ),
    fixedTermBorrowRolloverConfig: isRetained
      ? rolloverConfig
      : {
          autoRolloverEnabled: 0,
          openTermAllowed: 0,
          migrationToFixedEnabled: 0,
          fixedTermRolloverWindowDurationDays: 0,
          maxBorrowRateBps: 0,
          minDebtTermSeconds: 0n,
        },
  };
  return { ...obligation, borrows: obligation.borrows.with(index, changed), hasDebt: 1 };
}

function lendMoved(reserve: Reserve, moved: Lamports, { time }: LendingContext): Reserve {
  const { liquidity, config } = reserve;
  return {
    ...reserve,
    borrowedAmountOutsideElevationGroup: toLamports(
      reserve.borrowedAmountOutsideElevationGroup + moved,
    ),
    config: {
      ...config,
      debtWithdrawalCap: addToWithdrawalAccum(config.debtWithdrawalCap, moved, time.unix),
    },
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - moved),
      borrowedAmountSf: addSf(liquidity.borrowedAmountSf, sfFromInt(moved)),
    },
  };
}

/** Subtracts the moved debt from the counter of the old debt, if a part of it is left. */
const countedSource = (obligation: Obligation, source: Address, moved: Lamports): Obligation => ({
  ...obligation,
  borrows: obligation.borrows.map((each) =>
    each.borrowReserve === source
      ? {
          ...each,
          borrowedAmountOutsideElevationGroups: toLamports(
            lessOrZero(each.borrowedAmountOutsideElevationGroups, moved),
          ),
        }
      : each,
  ),
});

const lessOrZero = (amount: bigint, less: bigint): bigint => (amount > less ? amount - less : 0n);
