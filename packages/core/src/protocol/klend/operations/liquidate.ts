import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { exchangeRate, redeemableCollateral, redeemedLiquidity } from '../math/exchange-rate.ts';
import { findElevationGroup, ltvLimits } from '../math/health.ts';
import {
  type LiquidationAmounts,
  liquidationAmounts,
  protocolLiquidationFee,
} from '../math/liquidation/liquidation.ts';
import {
  findLiquidationTerms,
  type LiquidationReason,
  type LiquidationTerms,
  type LiquidationTermsInput,
  maxClosedDebt,
} from '../math/liquidation/liquidation-terms.ts';
import { availableCollateral } from '../math/liquidity.ts';
import { LIQUIDATION_PRICE_CHECKS } from '../math/price-status.ts';
import { trackRepaidDebt } from './debt-trackers.ts';
import { consumedOrder } from './obligation-orders.ts';
import {
  elementAt,
  findBorrowIndex,
  findDepositIndex,
  type LendingContext,
  markStale,
  type ObligationBorrow,
  type ObligationDeposit,
  type ObligationPosition,
  requireFresh,
  requireNoEmergencyMode,
  requireNonZeroAmount,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { redeemCollateral } from './redeem-collateral.ts';
import { accrueReserveToSlot, withLimitTimestamps } from './refresh/refresh-reserve.ts';
import { receiveRepayment, reduceDebt } from './repay.ts';
import { removeCollateral, withoutDeposit } from './withdraw.ts';

export type LiquidateRequest = {
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** The maximum lamports to repay. */
  readonly amount: bigint;
  readonly minReceived: bigint;
};

export type LiquidateResult = ObligationPosition & {
  readonly settledDebt: Sf;
  readonly repaid: Lamports;
  /** The cTokens that leave the obligation, and the part that is redeemed. */
  readonly collateral: bigint;
  readonly redeemedCollateral: bigint;
  /** The liquidity of the redeemed cTokens, including the fee. */
  readonly liquidity: Lamports;
  readonly protocolFee: Lamports;
  /** Why the loan could be liquidated, and the liquidator's bonus as a fraction. */
  readonly reason: LiquidationReason;
  readonly bonus: Sf;
};

/**
 * Repays a debt of a loan for a part of its collateral. The loan is above its liquidation threshold, deleveraged, due, or its
 * owner ordered it.
 */
export function liquidate(
  position: ObligationPosition,
  context: LendingContext,
  request: LiquidateRequest,
): LiquidateResult {
  const { obligation } = position;
  const repayReserve = reserveOf(position.reserves, request.repayReserve);
  const withdrawReserve = reserveOf(position.reserves, request.withdrawReserve);
  requireLiquidatable(obligation, context, {
    repayReserve,
    withdrawReserve,
    amount: request.amount,
  });
  const { borrowIndex, depositIndex, debt, deposit } = findPositions(obligation, request);
  const liquidation = liquidationOf(obligation, context, {
    repayReserve,
    withdrawReserve,
    debt,
    deposit,
  });
  const terms = requireTerms(liquidation);
  requirePriority(obligation, context, { repayReserve, withdrawReserve, reason: terms.reason });
  const amounts = amountsOf(liquidation, terms, request.amount);
  const { settledDebt, repaid, collateral } = amounts;
  const tracked = trackRepaidDebt(
    position,
    { borrow: borrowIndex, reserve: request.repayReserve },
    repaid,
  );
  const trackedDeposit = elementAt(tracked.obligation.deposits, depositIndex);
  const paid = receiveRepayment(reserveOf(tracked.reserves, request.repayReserve), amounts);
  const repayReserveAfter = markStale(withLimitTimestamps(paid, context));
  const reserves = withReserve(tracked.reserves, request.repayReserve, repayReserveAfter);
  const reduced = reduceDebt(tracked.obligation, borrowIndex, settledDebt);
  const used = consumeOrder(reduced, terms.reason, repaid);
  const after = markStale(removeCollateral(used, depositIndex, collateral));
  const current = accrueReserveToSlot(reserveOf(reserves, request.withdrawReserve), context);
  const isFull = collateral === deposit.depositedAmount;
  const seized = isFull ? withoutDeposit(current, obligation, trackedDeposit) : current;
  const redeemed = redeemSeized(seized, context, { ...request, ...terms, collateral });
  return {
    obligation: withAssetTiers(after, context),
    reserves: withReserve(reserves, request.withdrawReserve, redeemed.reserve),
    settledDebt,
    repaid,
    collateral,
    redeemedCollateral: redeemed.collateral,
    liquidity: redeemed.liquidity,
    protocolFee: redeemed.protocolFee,
    ...terms,
  };
}

type Reserves = { readonly repayReserve: Reserve; readonly withdrawReserve: Reserve };

type LiquidatedPositions = Reserves & {
  readonly debt: ObligationBorrow;
  readonly deposit: ObligationDeposit;
};

const liquidationOf = (
  obligation: Obligation,
  { market, time }: LendingContext,
  { repayReserve, withdrawReserve, debt, deposit }: LiquidatedPositions,
): LiquidationTermsInput => ({
  market,
  obligation,
  debtConfig: repayReserve.config,
  collateralConfig: withdrawReserve.config,
  debtLiquidity: repayReserve.liquidity,
  collateralLiquidity: withdrawReserve.liquidity,
  debt,
  deposit,
  now: time.unix,
});

function requireTerms(liquidation: LiquidationTermsInput): LiquidationTerms {
  const terms = findLiquidationTerms(liquidation);
  if (terms !== undefined) return terms;
  throw klendRejection('ObligationHealthy', 'nothing allows to liquidate the loan');
}

function amountsOf(
  liquidation: LiquidationTermsInput,
  { reason, bonus }: LiquidationTerms,
  amount: bigint,
): LiquidationAmounts {
  const amounts = liquidationAmounts(liquidation, {
    amount,
    bonus,
    maxClosed: maxClosedDebt(liquidation, reason),
    isOrder: reason.kind === 'obligationOrder',
  });
  if (amounts.repaid !== 0n && amounts.collateral !== 0n) return amounts;
  throw klendRejection('LiquidationTooSmall', 'the repayment or the collateral rounds to zero');
}

/** What is left of the order that allowed the liquidation. Orders of a loan without debt are removed anyway. */
function consumeOrder(
  obligation: Obligation,
  reason: LiquidationReason,
  repaid: Lamports,
): Obligation {
  if (reason.kind !== 'obligationOrder' || obligation.hasDebt === 0) return obligation;
  return {
    ...obligation,
    obligationOrders: obligation.obligationOrders.map((order, i) =>
      i === reason.index ? consumedOrder(order, repaid) : order,
    ),
  };
}

function requireLiquidatable(
  obligation: Obligation,
  context: LendingContext,
  { repayReserve, withdrawReserve, amount }: Reserves & { readonly amount: bigint },
): void {
  requireNoEmergencyMode(context, repayReserve);
  requireNoEmergencyMode(context, withdrawReserve);
  const group = findElevationGroup(context.market, obligation.elevationGroup);
  if (ltvLimits(withdrawReserve.config, group).liquidationThresholdPct === 0) {
    throw klendRejection('CollateralNonLiquidatable', 'the deposit has no liquidation threshold');
  }
  requireNonZeroAmount(amount);
  requireFresh(repayReserve, context, { what: 'Reserve', checks: LIQUIDATION_PRICE_CHECKS });
  requireFresh(withdrawReserve, context, { what: 'Reserve', checks: LIQUIDATION_PRICE_CHECKS });
  requireFresh(obligation, context, { what: 'Obligation', checks: LIQUIDATION_PRICE_CHECKS });
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsZero', 'its deposits have no value');
  }
  if (obligation.borrowFactorAdjustedDebtValueSf === 0n) {
    throw klendRejection('ObligationBorrowsZero', 'its debts have no value');
  }
}

/** The repaid debt and the seized deposit. Throws if one is missing or has no value. */
function findPositions(
  obligation: Obligation,
  { repayReserve, withdrawReserve }: LiquidateRequest,
): {
  readonly borrowIndex: number;
  readonly depositIndex: number;
  readonly debt: ObligationBorrow;
  readonly deposit: ObligationDeposit;
} {
  const borrowIndex = findBorrowIndex(obligation, repayReserve);
  const debt = elementAt(obligation.borrows, borrowIndex);
  if (debt.borrowFactorAdjustedMarketValueSf === 0n) {
    throw klendRejection('ObligationLiquidityEmpty', 'the debt has no value');
  }
  const depositIndex = findDepositIndex(obligation, withdrawReserve);
  const deposit = elementAt(obligation.deposits, depositIndex);
  if (deposit.marketValueSf === 0n) {
    throw klendRejection('ObligationCollateralEmpty', 'the deposit has no value');
  }
  return { borrowIndex, depositIndex, debt, deposit };
}

/**
 * Above the threshold the debt with the highest borrow factor is repaid first. The deposit with the lowest LTV is seized
 * first, except in a deleveraging.
 */
function requirePriority(
  obligation: Obligation,
  context: LendingContext,
  { repayReserve, withdrawReserve, reason }: Reserves & { readonly reason: LiquidationReason },
): void {
  const isDeleveraging =
    reason.kind === 'individualDeleveraging' || reason.kind === 'marketWideDeleveraging';
  if (isDeleveraging) return;
  const isExceeded = reason.kind === 'ltvExceeded';
  if (isExceeded && repayReserve.config.borrowFactorPct < obligation.highestBorrowFactorPct) {
    throw klendRejection(
      'LiquidationBorrowFactorPriority',
      'repay the debt with the highest borrow factor first',
    );
  }
  const group = findElevationGroup(context.market, obligation.elevationGroup);
  const { liquidationThresholdPct } = ltvLimits(withdrawReserve.config, group);
  if (BigInt(liquidationThresholdPct) > obligation.lowestReserveDepositLiquidationLtv) {
    throw klendRejection(
      'LiquidationLowestLiquidationLtvPriority',
      'seize the deposit with the lowest liquidation LTV first',
    );
  }
}

type Seizure = LiquidationTerms & { readonly collateral: bigint; readonly minReceived: bigint };

/**
 * Redeems as much as the reserve can pay. The liquidator receives the rest as cTokens. An order of the owner is served like a
 * withdrawal: within the cap, and not from the liquidity of queued withdrawals.
 */
function redeemSeized(
  reserve: Reserve,
  context: LendingContext,
  seized: Seizure,
): Pick<LiquidateResult, 'liquidity' | 'protocolFee' | 'collateral'> & {
  readonly reserve: Reserve;
} {
  const rate = exchangeRate(reserve, context.rules);
  const isOrder = seized.reason.kind === 'obligationOrder';
  const most = isOrder
    ? availableCollateral(reserve, context.rules)
    : redeemableCollateral(rate, reserve.liquidity.totalAvailableAmount);
  const collateral = seized.collateral < most ? seized.collateral : most;
  if (collateral === 0n) {
    requireReceived(redeemedLiquidity(rate, seized.collateral), seized.minReceived);
    return { reserve, collateral, liquidity: toLamports(0n), protocolFee: toLamports(0n) };
  }
  const redeemed = redeemCollateral(reserve, context, {
    collateral,
    uncapped: !isOrder,
    fromQueue: !isOrder,
  });
  const { protocolLiquidationFeePct, protocolOrderExecutionFeePct } = reserve.config;
  const feePct = isOrder ? protocolOrderExecutionFeePct : protocolLiquidationFeePct;
  const protocolFee = protocolLiquidationFee(redeemed.liquidity, seized.bonus, feePct);
  requireReceived(redeemed.liquidity - protocolFee, seized.minReceived);
  return { ...redeemed, collateral, protocolFee };
}

function requireReceived(received: bigint, minReceived: bigint): void {
  if (received >= minReceived) return;
  const reason = `the liquidator receives ${received}, but the minimum is ${minReceived}`;
  throw klendRejection('LiquidationRewardTooSmall', reason);
}
