import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  ONE_SF,
  type Sf,
  sfFromBits,
  sfFromInt,
  subSfToZero,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds, type UnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import { ORDER_CONDITIONS, ORDER_OPPORTUNITIES } from '../math/liquidation/order-condition.ts';
import { isBorrow, isDeposit, type LendingContext, requireNoMarketEmergency } from './position.ts';

type BorrowOrder = Obligation['headBorrowOrder'];
type ObligationOrder = Obligation['obligationOrders'][number];

/** The first refresh after the expiry removes a borrow order. */
export function withoutExpiredOrder(order: BorrowOrder, now: UnixSeconds): BorrowOrder {
  if (!isBorrowOrderSet(order) || order.fillableUntilTimestamp >= now) return order;
  return clearedBorrowOrder(order);
}

export const isBorrowOrderSet = (order: BorrowOrder): boolean =>
  order.debtLiquidityMint !== ZERO_ADDRESS || order.requestedDebtAmount !== 0n;

export function clearedBorrowOrder(order: BorrowOrder): BorrowOrder {
  return {
    ...order,
    debtLiquidityMint: ZERO_ADDRESS,
    remainingDebtAmount: toLamports(0n),
    filledDebtDestination: ZERO_ADDRESS,
    minDebtTermSeconds: 0n,
    fillableUntilTimestamp: toUnixSeconds(0n),
    placedAtTimestamp: toUnixSeconds(0n),
    lastUpdatedAtTimestamp: toUnixSeconds(0n),
    requestedDebtAmount: toLamports(0n),
    maxBorrowRateBps: 0,
    active: 0,
    enableAutoRolloverOnFilledBorrows: 0,
    padding1: new Uint8Array(order.padding1.length),
    endPadding: new Uint8Array(order.endPadding.length),
  };
}

/** Removes the obligation orders with the last debt. */
export function withoutOrdersIfNoDebt(obligation: Obligation): Obligation {
  if (obligation.hasDebt !== 0 || obligation.obligationOrders.every(isEmpty)) return obligation;
  return { ...obligation, obligationOrders: obligation.obligationOrders.map(emptied) };
}

/** Throws if an order no longer fits the position, such as an order on the ratio of two prices. */
export function requireCompatibleOrders(obligation: Obligation): void {
  if (obligation.obligationOrders.some((order) => !isSupported(order, obligation))) {
    throw klendRejection(
      'OperationNotPermittedWithCurrentObligationOrders',
      'an order of the obligation must be cancelled first',
    );
  }
}

/** Replaces an order of the obligation. A void order, which has no condition, removes it. */
export function setObligationOrder(
  obligation: Obligation,
  { market }: Pick<LendingContext, 'market'>,
  { index, order }: { readonly index: number; readonly order: ObligationOrder },
): Obligation {
  requireNoMarketEmergency({ market });
  requireValidOrder(order);
  if (!isSupported(order, obligation)) {
    throw klendRejection(
      'OrderConfigurationNotSupportedByObligation',
      'the order needs another number of deposits or debts',
    );
  }
  const previous = obligation.obligationOrders[index];
  if (previous === undefined) {
    throw klendRejection('OrderIndexOutOfBounds', `there is no order ${index}`);
  }
  const isNew = previous.conditionType === 0 && order.conditionType !== 0;
  if (isNew && market.obligationOrderCreationEnabled === 0) {
    throw klendRejection('OrderCreationDisabled', 'the market has no obligation orders');
  }
  return { ...obligation, obligationOrders: obligation.obligationOrders.with(index, order) };
}

/** What is left of an order after a repayment. An order for all debt stays as it is. */
export function consumedOrder(order: ObligationOrder, repaid: bigint): ObligationOrder {
  if (order.opportunityType !== ORDER_OPPORTUNITIES.singleDebtAmount) return order;
  const left = subSfToZero(order.opportunityParameterSf, sfFromInt(repaid));
  return left === 0n ? emptied(order) : { ...order, opportunityParameterSf: left };
}

const isPriceRatio = ({ conditionType }: ObligationOrder): boolean =>
  conditionType === ORDER_CONDITIONS.priceRatioAbove ||
  conditionType === ORDER_CONDITIONS.priceRatioBelow;

function isSupported(order: ObligationOrder, { borrows, deposits }: Obligation): boolean {
  if (isEmpty(order)) return true;
  const debts = borrows.filter(isBorrow).length;
  if (isPriceRatio(order) && (debts !== 1 || deposits.filter(isDeposit).length !== 1)) return false;
  return order.opportunityType !== ORDER_OPPORTUNITIES.singleDebtAmount || debts === 1;
}

const isEmpty = (order: ObligationOrder): boolean =>
  order.conditionType === 0 &&
  order.conditionThresholdSf === 0n &&
  order.opportunityType === 0 &&
  order.opportunityParameterSf === 0n &&
  order.minExecutionBonusBps === 0 &&
  order.maxExecutionBonusBps === 0;

const emptied = (order: ObligationOrder): ObligationOrder => ({
  conditionThresholdSf: ZERO_SF,
  opportunityParameterSf: ZERO_SF,
  minExecutionBonusBps: 0,
  maxExecutionBonusBps: 0,
  conditionType: 0,
  opportunityType: 0,
  padding1: new Uint8Array(order.padding1.length),
  padding2: new Uint8Array(order.padding2.length),
});

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
      if (isRatioThreshold(threshold)) return;
      throw invalid('its price ratio must be between 10^-15 and 10^15');
    case ORDER_CONDITIONS.always:
      if (threshold !== 0n) throw invalid('an unconditional order has no threshold');
      if (order.minExecutionBonusBps === order.maxExecutionBonusBps) return;
      throw invalid('an unconditional order has one bonus');
    default:
      throw invalid(`its condition ${conditionType} is not known`);
  }
}

const isRatioThreshold = (threshold: Sf): boolean =>
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
