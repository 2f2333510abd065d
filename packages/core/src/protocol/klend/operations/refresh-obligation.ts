import { minSf, mulSfByInt, roundSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { findElevationGroup } from '../math/elevation-group.ts';
import { withoutExpiredOrder } from './obligation-orders.ts';
import {
  isBorrow,
  type LendingContext,
  type ObligationPosition,
  withAssetTiers,
} from './position.ts';
import { type ReferrerFees, refreshBorrows } from './refresh-borrows.ts';
import { refreshDeposits } from './refresh-deposits.ts';

export type RefreshedPosition = ObligationPosition & { readonly referrerFees: ReferrerFees };

/** Debts to their reserves' rates, values at their prices, and what follows from them. */
export function refreshObligation(
  position: ObligationPosition,
  terms: LendingContext,
): RefreshedPosition {
  const { obligation } = position;
  const group = findElevationGroup(terms.market, obligation.elevationGroup);
  const borrowed = refreshBorrows(position, terms, group);
  const deposited = refreshDeposits({ ...position, reserves: borrowed.reserves }, terms, {
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
    allowedBorrowValueSf: minSf(sums.allowed, sfFromInt(terms.market.globalAllowedBorrowValue)),
    unhealthyBorrowValueSf: sums.unhealthy,
    lowestReserveDepositLiquidationLtv: BigInt(deposited.lowestLiquidationThreshold),
    lowestReserveDepositMaxLtvPct: deposited.lowestMaxLtv,
    numOfObsoleteBorrowReserves: borrowed.obsolete,
    numOfObsoleteDepositReserves: deposited.obsolete,
    borrowingDisabled: deposited.borrowingDisabled ? 1 : 0,
    highestBorrowFactorPct: roundSf(mulSfByInt(borrowed.highestFactor, 100n)),
    headBorrowOrder: withoutExpiredOrder(obligation.headBorrowOrder, terms.time.unix),
    lastUpdate: {
      ...obligation.lastUpdate,
      slot: terms.time.slot,
      stale: 0,
      priceStatus: borrowed.priceStatus & deposited.priceStatus,
    },
  };
  return {
    obligation: withAssetTiers(refreshed, terms),
    reserves: deposited.reserves,
    referrerFees: borrowed.referrerFees,
  };
}
