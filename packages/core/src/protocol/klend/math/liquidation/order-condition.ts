import {
  divSf,
  mulSf,
  ONE_SF,
  type Sf,
  subSf,
  subSfToZero,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../layout/obligation.ts';
import { loanToValue, unhealthyLoanToValue } from '../health.ts';

/** Values of `conditionType`. An order with 0 is void. */
export const ORDER_CONDITIONS = {
  never: 0,
  ltvAbove: 1,
  ltvBelow: 2,
  priceRatioAbove: 3,
  priceRatioBelow: 4,
  always: 5,
  liquidationCloserThan: 6,
} as const;

/** Values of `opportunityType`. */
export const ORDER_OPPORTUNITIES = { singleDebtAmount: 0, allDebt: 1 } as const;

export type ObligationOrderView = Pick<
  ObligationView['obligationOrders'] extends Iterable<infer Order> ? Order : never,
  | 'conditionType'
  | 'conditionThresholdSf'
  | 'opportunityType'
  | 'opportunityParameterSf'
  | 'minExecutionBonusBps'
  | 'maxExecutionBonusBps'
>;

export type OrderPrices = {
  /** USD per whole token. */
  readonly debt: Sf;
  readonly collateral: Sf;
};

/**
 * How far the condition of an order is exceeded: 0 at its threshold, 1 where the loan becomes liquidatable (stop loss) or has
 * no debt (take profit). `always` for an order without a threshold, undefined if the condition is not met.
 */
export function orderConditionHit(
  order: ObligationOrderView,
  obligation: ObligationView,
  prices: OrderPrices,
): Sf | 'always' | undefined {
  const { conditionThresholdSf: threshold } = order;
  const ratio = () => divSf(prices.debt, prices.collateral);
  const ltv = () => loanToValue(obligation);
  const unhealthy = () => unhealthyLoanToValue(obligation);
  switch (order.conditionType) {
    case ORDER_CONDITIONS.always:
      return 'always';
    case ORDER_CONDITIONS.ltvAbove:
      return stopLoss(ltv(), threshold, unhealthy());
    case ORDER_CONDITIONS.ltvBelow:
      return takeProfit(ltv(), threshold);
    case ORDER_CONDITIONS.priceRatioAbove:
      return stopLoss(ratio(), threshold, divSf(mulSf(ratio(), unhealthy()), ltv()));
    case ORDER_CONDITIONS.priceRatioBelow:
      return takeProfit(ratio(), threshold);
    case ORDER_CONDITIONS.liquidationCloserThan:
      return stopLoss(ltv(), subSfToZero(unhealthy(), threshold), unhealthy());
    default:
      return undefined;
  }
}

/** Whether prices decide about the condition. A market can disable such liquidations. */
export const isPriceTriggered = ({ conditionType }: ObligationOrderView): boolean =>
  conditionType !== ORDER_CONDITIONS.never && conditionType !== ORDER_CONDITIONS.always;

function stopLoss(value: Sf, threshold: Sf, liquidation: Sf): Sf | undefined {
  if (value <= threshold) return undefined;
  if (threshold >= liquidation) return ONE_SF;
  return divSf(subSf(value, threshold), subSf(liquidation, threshold));
}

const takeProfit = (value: Sf, threshold: Sf): Sf | undefined =>
  value >= threshold ? undefined : divSf(subSf(threshold, value), threshold);
