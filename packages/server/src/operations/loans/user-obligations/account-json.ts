import type { ObligationReport } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import type { ObligationAccount } from './schema.ts';

type State = ObligationReport['state'];
type Json = Static<typeof ObligationAccount>;

/** Includes the unused slots of the account. Integers of 64 bits and more are strings. */
export function obligationAccountJson(state: State): Json {
  return {
    tag: String(state.tag),
    lastUpdate: {
      slot: String(state.lastUpdate.slot),
      stale: state.lastUpdate.stale,
      priceStatus: state.lastUpdate.priceStatus,
    },
    lendingMarket: state.lendingMarket,
    owner: state.owner,
    deposits: [...state.deposits].map(depositJson),
    lowestReserveDepositLiquidationLtv: String(state.lowestReserveDepositLiquidationLtv),
    depositedValueSf: String(state.depositedValueSf),
    borrows: [...state.borrows].map(borrowJson),
    borrowFactorAdjustedDebtValueSf: String(state.borrowFactorAdjustedDebtValueSf),
    borrowedAssetsMarketValueSf: String(state.borrowedAssetsMarketValueSf),
    allowedBorrowValueSf: String(state.allowedBorrowValueSf),
    unhealthyBorrowValueSf: String(state.unhealthyBorrowValueSf),
    elevationGroup: state.elevationGroup,
    numOfObsoleteDepositReserves: state.numOfObsoleteDepositReserves,
    hasDebt: state.hasDebt,
    referrer: state.referrer,
    borrowingDisabled: state.borrowingDisabled,
    autodeleverageTargetLtvPct: state.autodeleverageTargetLtvPct,
    lowestReserveDepositMaxLtvPct: state.lowestReserveDepositMaxLtvPct,
    numOfObsoleteBorrowReserves: state.numOfObsoleteBorrowReserves,
    highestBorrowFactorPct: String(state.highestBorrowFactorPct),
    autodeleverageMarginCallStartedTimestamp: String(
      state.autodeleverageMarginCallStartedTimestamp,
    ),
    obligationOrders: [...state.obligationOrders].map(orderJson),
    borrowOrder: borrowOrderJson(state.headBorrowOrder),
  };
}

type Item<Elements> = Elements extends Iterable<infer Value> ? Value : never;

function depositJson(deposit: Item<State['deposits']>): Json['deposits'][number] {
  return {
    depositReserve: deposit.depositReserve,
    depositedAmount: String(deposit.depositedAmount),
    marketValueSf: String(deposit.marketValueSf),
    borrowedAmountAgainstThisCollateralInElevationGroup: String(
      deposit.borrowedAmountAgainstThisCollateralInElevationGroup,
    ),
  };
}

function borrowJson(borrow: Item<State['borrows']>): Json['borrows'][number] {
  const rollover = borrow.fixedTermBorrowRolloverConfig;
  return {
    borrowReserve: borrow.borrowReserve,
    cumulativeBorrowRateBsf: { value: limbsOf(borrow.cumulativeBorrowRateBsf.value) },
    lastBorrowedAtTimestamp: String(borrow.lastBorrowedAtTimestamp),
    borrowedAmountSf: String(borrow.borrowedAmountSf),
    marketValueSf: String(borrow.marketValueSf),
    borrowFactorAdjustedMarketValueSf: String(borrow.borrowFactorAdjustedMarketValueSf),
    borrowedAmountOutsideElevationGroups: String(borrow.borrowedAmountOutsideElevationGroups),
    fixedTermBorrowRolloverConfig: {
      autoRolloverEnabled: rollover.autoRolloverEnabled,
      openTermAllowed: rollover.openTermAllowed,
      migrationToFixedEnabled: rollover.migrationToFixedEnabled,
      fixedTermRolloverWindowDurationDays: rollover.fixedTermRolloverWindowDurationDays,
      maxBorrowRateBps: rollover.maxBorrowRateBps,
      minDebtTermSeconds: String(rollover.minDebtTermSeconds),
    },
    borrowedAmountAtExpiration: String(borrow.borrowedAmountAtExpiration),
  };
}

function orderJson(order: Item<State['obligationOrders']>): Record<string, unknown> {
  return {
    conditionThresholdSf: String(order.conditionThresholdSf),
    opportunityParameterSf: String(order.opportunityParameterSf),
    minExecutionBonusBps: order.minExecutionBonusBps,
    maxExecutionBonusBps: order.maxExecutionBonusBps,
    conditionType: order.conditionType,
    opportunityType: order.opportunityType,
  };
}

function borrowOrderJson(order: State['headBorrowOrder']): Record<string, unknown> {
  return {
    debtLiquidityMint: order.debtLiquidityMint,
    remainingDebtAmount: String(order.remainingDebtAmount),
    filledDebtDestination: order.filledDebtDestination,
    minDebtTermSeconds: String(order.minDebtTermSeconds),
    fillableUntilTimestamp: String(order.fillableUntilTimestamp),
    placedAtTimestamp: String(order.placedAtTimestamp),
    lastUpdatedAtTimestamp: String(order.lastUpdatedAtTimestamp),
    requestedDebtAmount: String(order.requestedDebtAmount),
    maxBorrowRateBps: order.maxBorrowRateBps,
    active: order.active,
    enableAutoRolloverOnFilledBorrows: order.enableAutoRolloverOnFilledBorrows,
  };
}

/** 256 bits as four limbs of 64 bits, little-endian. */
const limbsOf = (value: bigint): string[] =>
  [0n, 64n, 128n, 192n].map((shift) => String(BigInt.asUintN(64, value >> shift)));
