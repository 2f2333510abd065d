import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds, type UnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import { isBorrow, isDeposit } from './position.ts';

type BorrowOrder = Obligation['headBorrowOrder'];
type ObligationOrder = Obligation['obligationOrders'][number];

const PRICE_RATIO_ABOVE = 3;
const PRICE_RATIO_BELOW = 4;
const DELEVERAGE_SINGLE_DEBT = 0;

/** The first refresh after the expiry removes a borrow order. */
export function withoutExpiredOrder(order: BorrowOrder, now: UnixSeconds): BorrowOrder {
  const isSet = order.debtLiquidityMint !== ZERO_ADDRESS || order.requestedDebtAmount !== 0n;
  if (!isSet || order.fillableUntilTimestamp >= now) return order;
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
  const borrows = obligation.borrows.filter(isBorrow).length;
  const deposits = obligation.deposits.filter(isDeposit).length;
  const incompatible = obligation.obligationOrders.some((order) => {
    if (isEmpty(order)) return false;
    const needsPair = [PRICE_RATIO_ABOVE, PRICE_RATIO_BELOW].includes(order.conditionType);
    if (needsPair && (borrows !== 1 || deposits !== 1)) return true;
    return order.opportunityType === DELEVERAGE_SINGLE_DEBT && borrows !== 1;
  });
  if (incompatible) {
    throw klendRejection(
      'OperationNotPermittedWithCurrentObligationOrders',
      'an order of the obligation must be cancelled first',
    );
  }
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
