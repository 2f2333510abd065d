import { sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { type ElevationGroup, ltvLimits } from '../../math/elevation-group.ts';
import { collateralWorth, exchangeRate } from '../../math/exchange-rate.ts';
import { addDepositToTotals, type DepositTotals, NO_DEPOSITS } from '../../math/health.ts';
import { marketValue } from '../../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../../math/price-status.ts';
import { trackGroupDebt } from '../debt-trackers.ts';
import {
  isDeposit,
  type LendingContext,
  type ObligationDeposit,
  type ObligationPosition,
  RESERVE_STATUS_OBSOLETE,
  type ReserveMap,
  requireFresh,
  reserveOf,
  withReserve,
} from '../position.ts';

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
