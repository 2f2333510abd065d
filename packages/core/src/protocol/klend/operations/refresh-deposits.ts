import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { type ElevationGroup, ltvLimits } from '../math/elevation-group.ts';
import { collateralWorth, exchangeRate } from '../math/exchange-rate.ts';
import { addDepositToTotals, type DepositTotals, NO_DEPOSITS } from '../math/health.ts';
import { marketValue } from '../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { trackGroupDebt } from './debt-trackers.ts';
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
} from './position.ts';

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

/** The deposits, under the terms of `group`, which may be one that is only asked for. */
export function refreshDeposits(
  { obligation, reserves }: ObligationPosition,
  terms: LendingContext,
  groupTerms: ElevationGroupInput,
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
  let so = start;
  for (const deposit of obligation.deposits) {
    so = isDeposit(deposit)
      ? refreshDeposit(so, deposit, { terms, ...groupTerms })
      : { ...so, deposits: [...so.deposits, deposit] };
  }
  return so;
}

function refreshDeposit(
  so: RefreshedDeposits,
  deposit: ObligationDeposit,
  { terms, group, groupDebt }: ElevationGroupInput & { readonly terms: LendingContext },
): RefreshedDeposits {
  const address = deposit.depositReserve;
  const before = reserveOf(so.reserves, address);
  requireFresh(before, terms, { what: 'Reserve', checks: 0 });
  const tracked = trackGroupDebt({ reserve: before, deposit, address }, group, groupDebt);
  const { reserve } = tracked;
  const rate = exchangeRate(reserve, terms.rules);
  const value = marketValue(reserve.liquidity, collateralWorth(rate, deposit.depositedAmount));
  const { maxLtvPct, liquidationThresholdPct } = ltvLimits(reserve.config, group);
  const counts =
    liquidationThresholdPct > 0 &&
    value >= sfFromInt(terms.market.minValueSkipLiquidationLtvChecks);
  const disabled = group === undefined && reserve.config.disableUsageAsCollOutsideEmode > 0;
  return {
    deposits: [...so.deposits, { ...tracked.deposit, marketValueSf: value }],
    reserves: withReserve(so.reserves, address, reserve),
    sums: addDepositToTotals(so.sums, value, { maxLtvPct, liquidationThresholdPct }),
    lowestLiquidationThreshold: counts
      ? Math.min(so.lowestLiquidationThreshold, liquidationThresholdPct)
      : so.lowestLiquidationThreshold,
    lowestMaxLtv: Math.min(so.lowestMaxLtv, maxLtvPct),
    priceStatus: so.priceStatus & reserve.lastUpdate.priceStatus,
    obsolete: so.obsolete + (reserve.config.status === RESERVE_STATUS_OBSOLETE ? 1 : 0),
    borrowingDisabled: so.borrowingDisabled || disabled,
  };
}
