import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromInt, subSfToZero, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds, type UnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import { ORDER_CONDITIONS, ORDER_OPPORTUNITIES } from '../math/liquidation/order-condition.ts';
import { requireValidOrder } from './obligation-order-rules.ts';
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
