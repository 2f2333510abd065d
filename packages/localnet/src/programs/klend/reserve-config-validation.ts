import { type Address, ONE_SF, U64_MAX, ZERO_ADDRESS } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import { type ElevationGroup, findElevationGroup } from '@tidegate/core/protocol/klend/math';

type Config = Reserve['config'];

/** `config.status` of a reserve, in the program's words. */
export const RESERVE_STATUSES = ['Active', 'Obsolete', 'Hidden'];

const FULL_BPS = 10_000;

type Place = { readonly market: LendingMarket; readonly reserve: Address };

/**
 * Refused unless all settings of a reserve go together. Its oracles are left out: every refresh looks at
 * those, and nothing that the model lets owners change touches them.
 */
export function validateReserveConfig(config: Config, { market, reserve }: Place): void {
  refuseFaults(faultsOf(config));
  for (const id of config.elevationGroups) {
    const group = findElevationGroup(market, id);
    if (group !== undefined) refuseFaults(groupFaults(config, group, reserve));
  }
  const limit = config.utilizationLimitBlockBorrowingAbovePct;
  refuseFaults([[limit > 100, 'the utilization limit']]);
  requireCurve(config.borrowRateCurve.points);
}

type Fault = readonly [isFault: boolean, what: string];

function refuseFaults(faults: readonly Fault[]): void {
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw klendRejection('InvalidConfig', `${fault[1]} is out of bounds`);
}

function faultsOf(config: Config): readonly Fault[] {
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

/** A group must be better than the reserve alone, except for the reserve that its loans are taken from. */
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

/** From 0 to all of the supply, ever growing; the end may be repeated. */
function requireCurve(points: Config['borrowRateCurve']['points']): void {
  const utilizations = points.map((point) => point.utilizationRateBps);
  const isWhole = utilizations[0] === 0 && utilizations.at(-1) === FULL_BPS;
  const isGrowing = points.every((point, i) => {
    const before = points[i - 1];
    if (before === undefined) return true;
    const { utilizationRateBps: utilization, borrowRateBps: rate } = point;
    const isEnd = before.utilizationRateBps === FULL_BPS && utilization === FULL_BPS;
    const isFurther = utilization > before.utilizationRateBps;
    return (isEnd || isFurther) && rate >= before.borrowRateBps;
  });
  if (isWhole && isGrowing) return;
  throw klendRejection('InvalidBorrowRateCurvePoint', 'the points of the curve are not in order');
}
