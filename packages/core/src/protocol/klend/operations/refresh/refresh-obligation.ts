import { minSf, mulSfByInt, roundSf, sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { updateTime } from '../../math/accrual/accrual-duration.ts';
import { collateralWorth, exchangeRate } from '../../math/exchange-rate.ts';
import {
  addDepositToTotals,
  type DepositTotals,
  type ElevationGroup,
  findElevationGroup,
  ltvLimits,
  NO_DEPOSITS,
} from '../../math/health.ts';
import { marketValue } from '../../math/liquidity.ts';
import { ALL_PRICE_CHECKS } from '../../math/price-status.ts';
import { trackGroupDebt } from '../debt-trackers.ts';
import { withoutExpiredOrder } from '../obligation-orders.ts';
import {
  isBorrow,
  isDeposit,
  type LendingContext,
  type ObligationDeposit,
  type ObligationPosition,
  RESERVE_STATUS_OBSOLETE,
  type ReserveMap,
  requireFresh,
  reserveOf,
  withAssetTiers,
  withReserve,
} from '../position.ts';
import { type ReferrerFees, refreshBorrows } from './refresh-borrows.ts';

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

export type RefreshedDeposits = {
  readonly deposits: readonly ObligationDeposit[];
  readonly reserves: ReserveMap;
  readonly sums: DepositTotals;
  readonly lowestLiquidationThreshold: number;
  readonly lowestMaxLtv: number;
  readonly priceStatus: number;
  readonly obsolete: number;
  readonly borrowingDisabled: boolean;
};

export type ElevationGroupInput = {
  readonly group: ElevationGroup | undefined;
  readonly groupDebt: bigint;
};

/** Refreshes the deposits under the terms of `group`, which can be a requested group. */
export function refreshDeposits(
  { obligation, reserves }: ObligationPosition,
  context: LendingContext,
  groupInput: ElevationGroupInput,
): RefreshedDeposits {
  const start: RefreshedDeposits = {
    deposits: [],
    reserves,
    sums: NO_DEPOSITS,
    lowestLiquidationThreshold: 255,
    lowestMaxLtv: 255,
    priceStatus: ALL_PRICE_CHECKS,
    obsolete: 0,
    borrowingDisabled: false,
  };
  let totals = start;
  for (const deposit of obligation.deposits) {
    totals = isDeposit(deposit)
      ? refreshDeposit(totals, deposit, { context, ...groupInput })
      : { ...totals, deposits: [...totals.deposits, deposit] };
  }
  return totals;
}

function refreshDeposit(
  totals: RefreshedDeposits,
  deposit: ObligationDeposit,
  { context, group, groupDebt }: ElevationGroupInput & { readonly context: LendingContext },
): RefreshedDeposits {
  const address = deposit.depositReserve;
  const before = reserveOf(totals.reserves, address);
  requireFresh(before, context, { what: 'Reserve', checks: 0 });
  const tracked = trackGroupDebt({ reserve: before, deposit, address }, group, groupDebt);
  const { reserve } = tracked;
  const rate = exchangeRate(reserve, context.rules);
  const value = marketValue(reserve.liquidity, collateralWorth(rate, deposit.depositedAmount));
  const { maxLtvPct, liquidationThresholdPct } = ltvLimits(reserve.config, group);
  const isCounted =
    liquidationThresholdPct > 0 &&
    value >= sfFromInt(context.market.minValueSkipLiquidationLtvChecks);
  const disabled = group === undefined && reserve.config.disableUsageAsCollOutsideEmode > 0;
  return {
    deposits: [...totals.deposits, { ...tracked.deposit, marketValueSf: value }],
    reserves: withReserve(totals.reserves, address, reserve),
    sums: addDepositToTotals(totals.sums, value, { maxLtvPct, liquidationThresholdPct }),
    lowestLiquidationThreshold: isCounted
      ? Math.min(totals.lowestLiquidationThreshold, liquidationThresholdPct)
      : totals.lowestLiquidationThreshold,
    lowestMaxLtv: Math.min(totals.lowestMaxLtv, maxLtvPct),
    priceStatus: totals.priceStatus & reserve.lastUpdate.priceStatus,
    obsolete: totals.obsolete + (reserve.config.status === RESERVE_STATUS_OBSOLETE ? 1 : 0),
    borrowingDisabled: totals.borrowingDisabled || disabled,
  };
}
