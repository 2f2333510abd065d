import { ONE_SF, type Sf, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import { ORDER_CONDITIONS, ORDER_OPPORTUNITIES } from '../math/liquidation/order-condition.ts';

type ObligationOrder = Obligation['obligationOrders'][number];

/** The opportunity to repay all debt has this parameter: all 128 bits set. */
export const ALL_DEBT = (1n << 128n) - 1n;

const MAX_BONUS_BPS = 1_000;
/** 1 %, and the price ratios 10^-15 and 10^15, rounded to the nearest 60 bits. */
const MIN_LTV = sfFromBits(11_529_215_046_068_470n);
const MIN_PRICE_RATIO = sfFromBits(1_153n);
const MAX_PRICE_RATIO = sfFromInt(10n ** 15n);

/** Throws if the condition, the opportunity or the bonus of an order is not one that the program accepts. */
export function requireValidOrder(order: ObligationOrder): void {
  if (order.conditionType === ORDER_CONDITIONS.never) {
    if (!isZeroed(order)) throw invalid('an order without a condition must be zero throughout');
    return;
  }
  requireValidCondition(order);
  requireValidOpportunity(order);
  const { minExecutionBonusBps: min, maxExecutionBonusBps: max } = order;
  if (min > max) throw invalid(`the minimum bonus of ${min} bps is above the maximum of ${max}`);
  if (max > MAX_BONUS_BPS) throw invalid(`the bonus of ${max} bps is above ${MAX_BONUS_BPS}`);
  if (!isPaddingZero(order)) throw invalid('its padding must be zero');
}

function requireValidCondition(order: ObligationOrder): void {
  const { conditionType, conditionThresholdSf: threshold } = order;
  switch (conditionType) {
    case ORDER_CONDITIONS.ltvAbove:
    case ORDER_CONDITIONS.ltvBelow:
    case ORDER_CONDITIONS.liquidationCloserThan:
      if (threshold >= MIN_LTV && threshold < ONE_SF) return;
      throw invalid('its LTV must be at least 1 % and below 100 %');
    case ORDER_CONDITIONS.priceRatioAbove:
    case ORDER_CONDITIONS.priceRatioBelow:
      if (isPriceRatio(threshold)) return;
      throw invalid('its price ratio must be between 10^-15 and 10^15');
    case ORDER_CONDITIONS.always:
      if (threshold !== 0n) throw invalid('an unconditional order has no threshold');
      if (order.minExecutionBonusBps === order.maxExecutionBonusBps) return;
      throw invalid('an unconditional order has one bonus');
    default:
      throw invalid(`its condition ${conditionType} is not known`);
  }
}

const isPriceRatio = (threshold: Sf): boolean =>
  threshold >= MIN_PRICE_RATIO && threshold <= MAX_PRICE_RATIO;

function requireValidOpportunity(order: ObligationOrder): void {
  const { opportunityType, opportunityParameterSf: parameter } = order;
  if (opportunityType === ORDER_OPPORTUNITIES.singleDebtAmount) {
    if (parameter !== 0n && parameter !== ALL_DEBT) return;
    throw invalid('its amount must be above zero and finite');
  }
  if (opportunityType === ORDER_OPPORTUNITIES.allDebt) {
    if (parameter === ALL_DEBT) return;
    throw invalid('an order for all debt has no amount');
  }
  throw invalid(`its opportunity ${opportunityType} is not known`);
}

const isZeroed = (order: ObligationOrder): boolean =>
  order.conditionThresholdSf === 0n &&
  order.opportunityType === 0 &&
  order.opportunityParameterSf === 0n &&
  order.minExecutionBonusBps === 0 &&
  order.maxExecutionBonusBps === 0 &&
  isPaddingZero(order);

const isPaddingZero = ({ padding1, padding2 }: ObligationOrder): boolean =>
  [...padding1, ...padding2].every((byte) => byte === 0);

const invalid = (reason: string) => klendRejection('InvalidOrderConfiguration', reason);
