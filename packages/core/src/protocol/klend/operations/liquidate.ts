import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { findElevationGroup, ltvLimits } from '../math/elevation-group.ts';
import { exchangeRate, redeemableCollateral, redeemedLiquidity } from '../math/exchange-rate.ts';
import { liquidationAmounts, protocolLiquidationFee } from '../math/liquidation.ts';
import { LIQUIDATION_PRICE_CHECKS } from '../math/price-status.ts';
import { trackRepaidDebt } from './debt-trackers.ts';
import {
  elementAt,
  findBorrowIndex,
  findDepositIndex,
  type LendingContext,
  markStale,
  type ObligationPosition,
  requireFresh,
  requireNoEmergencyMode,
  requireNonZeroAmount,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { accrueReserveToSlot } from './refresh-reserve.ts';
import { receiveRepayment, reduceDebt } from './repay.ts';
import { redeemCollateral, removeCollateral, withoutDeposit } from './withdraw.ts';

export type LiquidateRequest = {
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** At most this many lamports of the debt. */
  readonly amount: bigint;
  readonly minReceived: bigint;
};

export type LiquidateResult = ObligationPosition & {
  readonly settled: Sf;
  readonly repaid: Lamports;
  /** cTokens that leave the obligation, and of them those that are redeemed at once. */
  readonly collateral: bigint;
  readonly redeemedCollateral: bigint;
  /** What they redeem for; the fee is part of it. */
  readonly liquidity: Lamports;
  readonly protocolFee: Lamports;
};

/** Repays a debt of an unhealthy loan for a part of its deposits. */
export function liquidate(
  position: ObligationPosition,
  terms: LendingContext,
  request: LiquidateRequest,
): LiquidateResult {
  const { obligation } = position;
  const borrow = findBorrowIndex(obligation, request.repayReserve);
  const place = findDepositIndex(obligation, request.withdrawReserve);
  const repayReserve = reserveOf(position.reserves, request.repayReserve);
  const withdrawReserve = reserveOf(position.reserves, request.withdrawReserve);
  const debt = elementAt(obligation.borrows, borrow);
  const deposit = elementAt(obligation.deposits, place);
  requireLiquidatable(obligation, terms, { repayReserve, withdrawReserve, amount: request.amount });
  if (debt.borrowFactorAdjustedMarketValueSf === 0n) {
    throw klendRejection('ObligationLiquidityEmpty', 'the debt has no value');
  }
  if (deposit.marketValueSf === 0n) {
    throw klendRejection('ObligationCollateralEmpty', 'the deposit has no value');
  }
  const amounts = liquidationAmounts(
    {
      market: terms.market,
      obligation,
      debtConfig: repayReserve.config,
      collateralConfig: withdrawReserve.config,
      debt,
      deposit,
    },
    request.amount,
  );
  requirePriority(obligation, terms, { repayReserve, withdrawReserve });
  const { settled, repaid, collateral } = amounts;
  if (repaid === 0n || collateral === 0n) throw klendRejection('LiquidationTooSmall', 'too little');

  const tracked = trackRepaidDebt(position, { borrow, reserve: request.repayReserve }, repaid);
  const counted = elementAt(tracked.obligation.deposits, place);
  const paid = receiveRepayment(reserveOf(tracked.reserves, request.repayReserve), amounts);
  const reserves = withReserve(tracked.reserves, request.repayReserve, markStale(paid));
  const after = markStale(
    removeCollateral(reduceDebt(tracked.obligation, borrow, settled), place, collateral),
  );
  const current = accrueReserveToSlot(reserveOf(reserves, request.withdrawReserve), terms);
  const isFull = collateral === deposit.depositedAmount;
  const seized = isFull ? withoutDeposit(current, obligation, counted) : current;
  const redeemed = redeemSeized(seized, terms, { ...request, collateral, bonus: amounts.bonus });
  return {
    obligation: withAssetTiers(after, terms),
    reserves: withReserve(reserves, request.withdrawReserve, redeemed.reserve),
    settled,
    repaid,
    collateral,
    redeemedCollateral: redeemed.collateral,
    liquidity: redeemed.liquidity,
    protocolFee: redeemed.protocolFee,
  };
}

type Reserves = { readonly repayReserve: Reserve; readonly withdrawReserve: Reserve };

function requireLiquidatable(
  obligation: Obligation,
  terms: LendingContext,
  { repayReserve, withdrawReserve, amount }: Reserves & { readonly amount: bigint },
): void {
  requireNoEmergencyMode(terms, repayReserve);
  requireNoEmergencyMode(terms, withdrawReserve);
  const group = findElevationGroup(terms.market, obligation.elevationGroup);
  if (ltvLimits(withdrawReserve.config, group).liquidationThresholdPct === 0) {
    throw klendRejection('CollateralNonLiquidatable', 'the deposit backs no loans');
  }
  requireNonZeroAmount(amount);
  requireFresh(repayReserve, terms, { what: 'Reserve', checks: LIQUIDATION_PRICE_CHECKS });
  requireFresh(withdrawReserve, terms, { what: 'Reserve', checks: LIQUIDATION_PRICE_CHECKS });
  requireFresh(obligation, terms, { what: 'Obligation', checks: LIQUIDATION_PRICE_CHECKS });
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsZero', 'its deposits have no value');
  }
  if (obligation.borrowFactorAdjustedDebtValueSf === 0n) {
    throw klendRejection('ObligationBorrowsZero', 'its debts have no value');
  }
}

/** The riskiest debt is repaid first and the weakest deposit is seized first. */
function requirePriority(
  obligation: Obligation,
  terms: LendingContext,
  { repayReserve, withdrawReserve }: Reserves,
): void {
  if (repayReserve.config.borrowFactorPct < obligation.highestBorrowFactorPct) {
    throw klendRejection('LiquidationBorrowFactorPriority', 'repay the riskiest debt first');
  }
  const group = findElevationGroup(terms.market, obligation.elevationGroup);
  const { liquidationThresholdPct } = ltvLimits(withdrawReserve.config, group);
  if (BigInt(liquidationThresholdPct) > obligation.lowestReserveDepositLiquidationLtv) {
    throw klendRejection(
      'LiquidationLowestLiquidationLtvPriority',
      'seize the weakest deposit first',
    );
  }
}

/** As much as the reserve can pay is redeemed; the rest stays cTokens of the liquidator. */
function redeemSeized(
  reserve: Reserve,
  terms: LendingContext,
  seized: { readonly collateral: bigint; readonly bonus: Sf; readonly minReceived: bigint },
): Pick<LiquidateResult, 'liquidity' | 'protocolFee' | 'collateral'> & {
  readonly reserve: Reserve;
} {
  const rate = exchangeRate(reserve, terms.rules);
  const most = redeemableCollateral(rate, reserve.liquidity.totalAvailableAmount);
  const collateral = seized.collateral < most ? seized.collateral : most;
  if (collateral === 0n) {
    requireReceived(redeemedLiquidity(rate, seized.collateral), seized.minReceived);
    return { reserve, collateral, liquidity: toLamports(0n), protocolFee: toLamports(0n) };
  }
  const redeemed = redeemCollateral(reserve, terms, {
    collateral,
    uncapped: true,
    fromQueue: true,
  });
  const feePct = reserve.config.protocolLiquidationFeePct;
  const protocolFee = protocolLiquidationFee(redeemed.liquidity, seized.bonus, feePct);
  requireReceived(redeemed.liquidity - protocolFee, seized.minReceived);
  return { ...redeemed, collateral, protocolFee };
}

function requireReceived(received: bigint, least: bigint): void {
  if (received >= least) return;
  const reason = `the liquidator gets ${received} and asked for ${least}`;
  throw klendRejection('LiquidationRewardTooSmall', reason);
}
