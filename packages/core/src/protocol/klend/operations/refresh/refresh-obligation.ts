import { minSf, mulSfByInt, roundSf, sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { updateTime } from '../../math/accrual/accrual-duration.ts';
import { findElevationGroup } from '../../math/elevation-group.ts';
import { withoutExpiredOrder } from '../obligation-orders.ts';
import {
  isBorrow,
  type LendingContext,
  type ObligationPosition,
  withAssetTiers,
} from '../position.ts';
import { type ReferrerFees, refreshBorrows } from './refresh-borrows.ts';
import { refreshDeposits } from './refresh-deposits.ts';

export type RefreshedPosition = ObligationPosition & { readonly referrerFees: ReferrerFees };

/** The `refreshObligation` instruction: updates debts, values and limits. */
export function refreshObligation(
  position: ObligationPosition,
  context: LendingContext,
): RefreshedPosition {
  const { obligation } = position;
  const group = findElevationGroup(context.market, obligation.elevationGroup);
  const borrowed = refreshBorrows(position, context, group);
  const deposited = refreshDeposits({ ...position, reserves: borrowed.reserves }, context, {
    group,
    groupDebt: borrowed.groupDebt,
  });
  const { sums } = deposited;
  const refreshed = {
    ...obligation,
    borrows: borrowed.borrows,
    deposits: deposited.deposits,
    hasDebt: borrowed.borrows.some(isBorrow) ? 1 : obligation.hasDebt,
    borrowedAssetsMarketValueSf: borrowed.value,
    borrowFactorAdjustedDebtValueSf: borrowed.adjustedValue,
    depositedValueSf: sums.deposited,
    allowedBorrowValueSf: minSf(sums.allowed, sfFromInt(context.market.globalAllowedBorrowValue)),
    unhealthyBorrowValueSf: sums.unhealthy,
    lowestReserveDepositLiquidationLtv: BigInt(deposited.lowestLiquidationThreshold),
    lowestReserveDepositMaxLtvPct: deposited.lowestMaxLtv,
    numOfObsoleteBorrowReserves: borrowed.obsolete,
    numOfObsoleteDepositReserves: deposited.obsolete,
    borrowingDisabled: deposited.borrowingDisabled ? 1 : 0,
    highestBorrowFactorPct: roundSf(mulSfByInt(borrowed.highestFactor, 100n)),
    headBorrowOrder: withoutExpiredOrder(obligation.headBorrowOrder, context.time.unix),
    tailBorrowOrders: obligation.tailBorrowOrders.map((order) =>
      withoutExpiredOrder(order, context.time.unix),
    ),
    lastUpdate: {
      ...updateTime(obligation.lastUpdate, context.time, context.rules),
      stale: 0,
      priceStatus: borrowed.priceStatus & deposited.priceStatus,
    },
  };
  return {
    obligation: withAssetTiers(refreshed, context),
    reserves: deposited.reserves,
    referrerFees: borrowed.referrerFees,
  };
}
