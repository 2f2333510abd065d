import { type Address, ONE_SF, U64_MAX, ZERO_ADDRESS } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import { type ElevationGroup, findElevationGroup } from '@tidegate/core/protocol/klend/math';

type Config = Reserve['config'];

/** Names of `config.status`, as in the program. */
export const RESERVE_STATUSES = ['Active', 'Obsolete', 'Hidden'];

const FULL_BPS = 10_000;

type ConfigOwner = { readonly market: LendingMarket; readonly reserve: Address };

/**
 * Requires a consistent config. Oracles are not checked: every refresh checks them, and the
 * modelled changes do not touch them.
 */
export function validateReserveConfig(config: Config, { market, reserve }: ConfigOwner): void {
  requireNoFaults(configFaults(config));
  for (const id of config.elevationGroups) {
    const group = findElevationGroup(market, id);
    if (group !== undefined) requireNoFaults(groupFaults(config, group, reserve));
  }
  const limit = config.utilizationLimitBlockBorrowingAbovePct;
  requireNoFaults([[limit > 100, 'the utilization limit']]);
  requireCurve(config.borrowRateCurve.points);
}

type Fault = readonly [isFault: boolean, description: string];

function requireNoFaults(faults: readonly Fault[]): void {
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw klendRejection('InvalidConfig', `${fault[1]} is out of bounds`);
}

function configFaults(config: Config): readonly Fault[] {
  const { loanToValuePct: ltv, liquidationThresholdPct: threshold } = config;
  const { maxLiquidationBonusBps: bonus, borrowLimitOutsideElevationGroup: outside } = config;
  return [
    [RESERVE_STATUSES[config.status] === undefined, 'the status'],
    [ltv >= 100, 'the loan to value'],
    [bonus > FULL_BPS, 'the largest liquidation bonus'],
    [threshold < ltv || threshold > 100, 'the liquidation threshold'],
    [config.fees.originationFeeSf >= ONE_SF, 'the origination fee'],
    [config.protocolLiquidationFeePct > 100, 'the liquidation fee'],
    [config.protocolOrderExecutionFeePct > 100, 'the order execution fee'],
    [config.protocolTakeRatePct > 100, 'the take rate'],
    [config.badDebtLiquidationBonusBps >= 100, 'the liquidation bonus of bad debt'],
    [config.minLiquidationBonusBps > bonus, 'the least liquidation bonus'],
    [config.minDeleveragingBonusBps > bonus, 'the least deleveraging bonus'],
    [config.borrowFactorPct < 100n, 'the borrow factor'],
    [config.autodeleverageEnabled !== 0 && !canDeleverage(config), 'the deleveraging'],
    [outside !== U64_MAX && config.borrowLimit < outside, 'the borrow limit outside groups'],
  ];
}

const canDeleverage = (config: Config): boolean =>
  config.deleveragingMarginCallPeriodSecs > 0n &&
  config.deleveragingThresholdDecreaseBpsPerDay > 0n &&
  config.deleveragingBonusIncreaseBpsPerDay > 0n;

/** A group must be better than the reserve alone, except for its debt reserve. */
function groupFaults(config: Config, group: ElevationGroup, reserve: Address): readonly Fault[] {
  const { debtReserve, ltvPct: ltv, liquidationThresholdPct: threshold } = group;
  const isCollateral = debtReserve !== reserve;
  const bonus = group.maxLiquidationBonusBps;
  const isWorse =
    bonus > config.maxLiquidationBonusBps ||
    threshold < config.liquidationThresholdPct ||
    ltv < config.loanToValuePct;
  return [
    [debtReserve === ZERO_ADDRESS, `the debt of the group ${group.id}`],
    [isCollateral && isWorse, `the group ${group.id}, worse than the reserve,`],
    [isCollateral && (ltv > threshold || threshold > 100), `the group ${group.id}`],
    [group.maxReservesAsCollateral === 0, `the collateral of the group ${group.id}`],
  ];
}

/** The curve must run from 0 to full utilization and never fall; the end may be repeated. */
function requireCurve(points: Config['borrowRateCurve']['points']): void {
  const utilizations = points.map((point) => point.utilizationRateBps);
  const isComplete = utilizations[0] === 0 && utilizations.at(-1) === FULL_BPS;
  const isGrowing = points.every((point, i) => {
    const before = points[i - 1];
    if (before === undefined) return true;
    const { utilizationRateBps: utilization, borrowRateBps: rate } = point;
    const isEnd = before.utilizationRateBps === FULL_BPS && utilization === FULL_BPS;
    const isHigher = utilization > before.utilizationRateBps;
    return (isEnd || isHigher) && rate >= before.borrowRateBps;
  });
  if (isComplete && isGrowing) return;
  throw klendRejection('InvalidBorrowRateCurvePoint', 'the points of the curve are not in order');
}
