import type { Address } from '../../../../base/encoding/address.ts';
import { hasCode } from '../../../../base/errors.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../../base/time.ts';
import { klendRejection } from '../../errors.ts';
import type { Obligation } from '../../layout/obligation.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { marketValue } from '../../math/liquidity.ts';
import { borrow } from '../borrow.ts';
import type { LoanAmounts } from '../loan-amounts.ts';
import { clearedBorrowOrder, isBorrowOrderSet, withoutExpiredOrder } from '../obligation-orders.ts';
import {
  elementAt,
  type LendingContext,
  type ObligationPosition,
  requireNoEmergencyMode,
  reserveOf,
} from '../position.ts';

type BorrowOrder = Obligation['headBorrowOrder'];
type RolloverConfig = Obligation['borrows'][number]['fixedTermBorrowRolloverConfig'];

/** What the owner orders. */
export type BorrowOrderConfig = Pick<
  BorrowOrder,
  | 'debtLiquidityMint'
  | 'remainingDebtAmount'
  | 'filledDebtDestination'
  | 'minDebtTermSeconds'
  | 'fillableUntilTimestamp'
  | 'maxBorrowRateBps'
  | 'enableAutoRolloverOnFilledBorrows'
>;

/** A change of an order, as the program emits it. */
export type BorrowOrderChange =
  | { readonly kind: 'place'; readonly after: BorrowOrder }
  | { readonly kind: 'update'; readonly before: BorrowOrder; readonly after: BorrowOrder }
  | { readonly kind: 'cancel' | 'fullFill'; readonly before: BorrowOrder }
  | { readonly kind: 'partialFill'; readonly before: BorrowOrder; readonly after: BorrowOrder };

export type SetBorrowOrderRequest = {
  readonly index: number;
  /** Undefined cancels the order. */
  readonly config: BorrowOrderConfig | undefined;
  /** A reserve of the token, for its price. */
  readonly reserve: Reserve;
  readonly minExpectedRemaining: bigint;
};

/** Places, changes or cancels a borrow order. `change` is undefined if there was nothing to cancel. */
export function setBorrowOrder(
  obligation: Obligation,
  context: LendingContext,
  { index, config, reserve, minExpectedRemaining }: SetBorrowOrderRequest,
): { readonly obligation: Obligation; readonly change: BorrowOrderChange | undefined } {
  requireNoEmergencyMode(context, reserve);
  const present = borrowOrderAt(obligation, index);
  if (present.remainingDebtAmount < minExpectedRemaining) {
    throw klendRejection(
      'ExpectationNotMet',
      `${present.remainingDebtAmount} is left of the order`,
    );
  }
  const now = context.time.unix;
  if (config === undefined) {
    if (!isBorrowOrderSet(present)) return { obligation, change: undefined };
    const change = { kind: 'cancel', before: present } as const;
    return { obligation: withBorrowOrder(obligation, index, clearedBorrowOrder(present)), change };
  }
  requireValidConfig(config, context, reserve);
  const before = withoutExpiredOrder(present, now);
  if (!isBorrowOrderSet(before)) {
    if (context.market.borrowOrderCreationEnabled === 0) {
      throw klendRejection('OrderCreationDisabled', 'the market has no borrow orders');
    }
    const after = placedOrder(before, config, now);
    const change = { kind: 'place', after } as const;
    return { obligation: withBorrowOrder(obligation, index, after), change };
  }
  const after = updatedOrder(before, config, now);
  const change = { kind: 'update', before, after } as const;
  return { obligation: withBorrowOrder(obligation, index, after), change };
}

function requireValidConfig(
  { maxBorrowRateBps, remainingDebtAmount, fillableUntilTimestamp }: BorrowOrderConfig,
  context: LendingContext,
  reserve: Reserve,
): void {
  const invalid = (reason: string) => klendRejection('InvalidOrderConfiguration', reason);
  if (maxBorrowRateBps === 0) throw invalid('it accepts no rate');
  if (remainingDebtAmount === 0n) throw invalid('it borrows nothing');
  if (fillableUntilTimestamp < context.time.unix) throw invalid('its time is over');
  requireOrderValue(remainingDebtAmount, context, reserve);
}

function requireOrderValue(amount: Lamports, { market }: LendingContext, reserve: Reserve): void {
  if (!isBelow(reserve, amount, market.minBorrowOrderFillValue)) return;
  throw klendRejection('BorrowOrderValueTooSmall', `an order over ${amount} lamports is too small`);
}

const isBelow = ({ liquidity }: Reserve, amount: Lamports, usd: bigint): boolean =>
  marketValue(liquidity, sfFromInt(amount)) < sfFromInt(usd);

const placedOrder = (
  free: BorrowOrder,
  config: BorrowOrderConfig,
  now: UnixSeconds,
): BorrowOrder => ({
  ...clearedBorrowOrder(free),
  ...config,
  active: 1,
  placedAtTimestamp: now,
  lastUpdatedAtTimestamp: now,
  requestedDebtAmount: config.remainingDebtAmount,
});

function updatedOrder(
  order: BorrowOrder,
  config: BorrowOrderConfig,
  now: UnixSeconds,
): BorrowOrder {
  for (const field of ['debtLiquidityMint', 'filledDebtDestination'] as const) {
    if (order[field] === config[field]) continue;
    throw klendRejection('NonUpdatableOrderConfiguration', `${field} cannot change`);
  }
  const isResized = config.remainingDebtAmount !== order.remainingDebtAmount;
  return {
    ...order,
    ...config,
    lastUpdatedAtTimestamp: now,
    requestedDebtAmount: isResized ? config.remainingDebtAmount : order.requestedDebtAmount,
  };
}

export type FillRequest = { readonly reserve: Address; readonly index: number };

export type FilledOrder = ObligationPosition & LoanAmounts & { readonly change: BorrowOrderChange };

/** Borrows what is left of an order from a reserve that fits, or as much as the loan and the reserve allow. */
export function fillBorrowOrder(
  position: ObligationPosition,
  context: LendingContext,
  { reserve: address, index }: FillRequest,
): FilledOrder {
  const order = borrowOrderAt(position.obligation, index);
  const isExisting = position.obligation.borrows.some((each) => each.borrowReserve === address);
  const loan = borrowAtMost(position, context, {
    reserve: address,
    amount: order.remainingDebtAmount,
  });
  const reserve = reserveOf(loan.reserves, address);
  requireFillable(order, reserve, context);
  const rest = toLamports(order.remainingDebtAmount - loan.received);
  if (rest > 0n) {
    if (isBelow(reserve, loan.received, context.market.minBorrowOrderFillValue)) {
      const reason = `a fill of ${loan.received} lamports is too small`;
      throw klendRejection('BorrowOrderFillValueTooSmall', reason);
    }
    requireOrderValue(rest, context, reserve);
  }
  const after = rest === 0n ? clearedBorrowOrder(order) : { ...order, remainingDebtAmount: rest };
  const change: BorrowOrderChange =
    rest === 0n
      ? { kind: 'fullFill', before: order }
      : { kind: 'partialFill', before: order, after };
  const filled = withBorrowOrder(loan.obligation, index, after);
  const obligation = withRollover(filled, context, { order, address, isExisting });
  return { ...loan, obligation, change };
}

/** If the whole amount is too much for the loan or the reserve, the maximum is borrowed. */
function borrowAtMost(
  position: ObligationPosition,
  context: LendingContext,
  request: { readonly reserve: Address; readonly amount: bigint },
): ObligationPosition & LoanAmounts {
  try {
    return borrow(position, context, request);
  } catch (error) {
    const isTooMuch =
      hasCode(error, 'PROGRAM_REFUSES') && TOO_MUCH.includes(error.context.name ?? '');
    if (!isTooMuch) throw error;
    return borrow(position, context, { ...request, amount: U64_MAX });
  }
}

const TOO_MUCH: readonly string[] = [
  'BorrowTooLarge',
  'BorrowLimitExceeded',
  'InsufficientLiquidity',
];

function requireFillable(
  order: BorrowOrder,
  reserve: Reserve,
  { market, time }: LendingContext,
): void {
  const { config } = reserve;
  if (market.borrowOrderExecutionEnabled === 0) {
    throw klendRejection('BorrowOrderExecutionDisabled', 'the market fills no orders');
  }
  if (maxRateBps(config) > order.maxBorrowRateBps) {
    const reason = `the reserve can charge ${maxRateBps(config)} bps`;
    throw klendRejection('BorrowOrderMaxBorrowRateExceeded', reason);
  }
  const maturity = config.debtMaturityTimestamp;
  const untilMaturity = maturity > time.unix ? maturity - time.unix : 0n;
  const isLongEnough =
    acceptsTerm(order, config.debtTermSeconds === 0n ? undefined : config.debtTermSeconds) &&
    acceptsTerm(order, maturity === 0n ? undefined : untilMaturity);
  if (!isLongEnough) {
    throw klendRejection('BorrowOrderMinDebtTermInsufficient', 'the term of the debt is too short');
  }
  if (time.unix > order.fillableUntilTimestamp) {
    throw klendRejection('BorrowOrderFillTimeLimitExceeded', 'the time of the order is over');
  }
}

/** A reserve without a term fits every order. An order without a minimum wants only such reserves. */
const acceptsTerm = ({ minDebtTermSeconds }: BorrowOrder, offered: bigint | undefined): boolean =>
  offered === undefined || (minDebtTermSeconds !== 0n && minDebtTermSeconds <= offered);

export const maxRateBps = ({ borrowRateCurve }: Reserve['config']): number =>
  Math.max(...borrowRateCurve.points.map(({ borrowRateBps }) => borrowRateBps));

/** The debt that an order opened is rolled over under the terms of the order, if the owner wants that. */
function withRollover(
  obligation: Obligation,
  { market }: LendingContext,
  filled: { readonly order: BorrowOrder; readonly address: Address; readonly isExisting: boolean },
): Obligation {
  const { order, address, isExisting } = filled;
  if (order.enableAutoRolloverOnFilledBorrows === 0) return obligation;
  if (market.obligationBorrowRolloverConfigurationEnabled === 0) {
    throw klendRejection('BorrowRolloverConfigurationDisabled', 'the market rolls over no debt');
  }
  const config: RolloverConfig = {
    autoRolloverEnabled: 1,
    openTermAllowed: 1,
    migrationToFixedEnabled: order.minDebtTermSeconds === 0n ? 0 : 1,
    fixedTermRolloverWindowDurationDays: 0,
    maxBorrowRateBps: order.maxBorrowRateBps,
    minDebtTermSeconds: order.minDebtTermSeconds,
  };
  const index = obligation.borrows.findIndex((each) => each.borrowReserve === address);
  const present = elementAt(obligation.borrows, index);
  if (isExisting && !hasSameRollover(present.fixedTermBorrowRolloverConfig, config)) {
    const reason = 'the debt is rolled over under other terms';
    throw klendRejection('ObligationBorrowRolloverConfigMismatch', reason);
  }
  if (isExisting) return obligation;
  const changed = { ...present, fixedTermBorrowRolloverConfig: config };
  return { ...obligation, borrows: obligation.borrows.with(index, changed) };
}

/** All settings are equal. */
export const hasEqualRollover = (a: RolloverConfig, b: RolloverConfig): boolean =>
  hasSameRollover(a, b) &&
  a.fixedTermRolloverWindowDurationDays === b.fixedTermRolloverWindowDurationDays;

/** The settings that an order has too are equal. */
const hasSameRollover = (a: RolloverConfig, b: RolloverConfig): boolean =>
  a.autoRolloverEnabled === b.autoRolloverEnabled &&
  a.openTermAllowed === b.openTermAllowed &&
  a.migrationToFixedEnabled === b.migrationToFixedEnabled &&
  a.maxBorrowRateBps === b.maxBorrowRateBps &&
  a.minDebtTermSeconds === b.minDebtTermSeconds;

/** Order 0 is the head, the others follow. */
function borrowOrderAt(
  { headBorrowOrder, tailBorrowOrders }: Obligation,
  index: number,
): BorrowOrder {
  const order = index === 0 ? headBorrowOrder : tailBorrowOrders[index - 1];
  if (order === undefined)
    throw klendRejection('OrderIndexOutOfBounds', `there is no order ${index}`);
  return order;
}

const withBorrowOrder = (obligation: Obligation, index: number, order: BorrowOrder): Obligation =>
  index === 0
    ? { ...obligation, headBorrowOrder: order }
    : { ...obligation, tailBorrowOrders: obligation.tailBorrowOrders.with(index - 1, order) };
