import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { bsfFromBits } from '../../../base/numbers/big-scaled-fraction.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  divSf,
  floorSf,
  mulSf,
  type Sf,
  sfFromBits,
  sfFromInt,
  sfFromPercent,
} from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { findElevationGroup, isInGroup, unhealthyLoanToValue } from '../math/health.ts';
import { borrowFactor, marketValue } from '../math/liquidity.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { totalSupply } from '../math/supply.ts';
import { addToWithdrawalAccum } from '../math/withdrawal-caps.ts';
import { trackNewDebt } from './debt-trackers.ts';
import { type LoanAmounts, loanAmounts } from './loan-amounts.ts';
import { requireCompatibleOrders } from './obligation-orders.ts';
import {
  elementAt,
  findOrAllocateIndex,
  hasDeposits,
  type LendingContext,
  markStale,
  type ObligationBorrow,
  type ObligationPosition,
  requireFresh,
  requireMinNetValue,
  requireNonZeroAmount,
  requireOpenReserve,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { withLimitTimestamps } from './refresh/refresh-reserve.ts';

export type BorrowRequest = {
  readonly reserve: Address;
  /** The lamports to receive. U64_MAX borrows the maximum. */
  readonly amount: bigint;
};

/** Borrows against the obligation's deposits. */
export function borrow(
  position: ObligationPosition,
  context: LendingContext,
  { reserve: address, amount }: BorrowRequest,
): ObligationPosition & LoanAmounts {
  const { obligation } = position;
  const reserve = reserveOf(position.reserves, address);
  requireOpenReserve(context, reserve);
  requireNonZeroAmount(amount);
  requireBorrowable(obligation, reserve, context);
  const loan = loanAmounts(obligation, reserve, { amount, context });
  const owed = ceilSf(loan.debt);
  const lent = lend(reserve, loan, context);
  const addresses = obligation.borrows.map(({ borrowReserve }) => borrowReserve);
  const { index, isNew } = findOrAllocateIndex(addresses, address);
  const before = elementAt(obligation.borrows, index);
  const opened = isNew ? openBorrow(before, address, lent) : before;
  requireTerm(opened, reserve, context);
  const increased = {
    ...opened,
    borrowedAmountSf: addSf(opened.borrowedAmountSf, loan.debt),
    lastBorrowedAtTimestamp:
      context.rules.borrowTime === 'recorded' ? context.time.unix : opened.lastBorrowedAtTimestamp,
  };
  const borrows = obligation.borrows.map((item, i) => (i === index ? increased : item));
  const indebted = markStale({ ...obligation, borrows, hasDebt: 1 });
  requireCompatibleOrders(indebted);
  requireDebtReserveOfGroup(obligation, context, address);
  const after = markStale(withLimitTimestamps(lent, context));
  const tracked = trackNewDebt(
    { obligation: indebted, reserves: withReserve(position.reserves, address, after) },
    { borrow: index, reserve: address },
    owed,
  );
  requireSoundLoan(obligation, context, { reserve, loan, previousValue: opened.marketValueSf });
  return { ...tracked, obligation: withAssetTiers(tracked.obligation, context), ...loan };
}

/** Throws if the market, the reserve or the obligation does not allow new debt. */
export function requireBorrowable(
  obligation: Obligation,
  reserve: Reserve,
  context: LendingContext,
): void {
  const { market, time } = context;
  if (market.borrowDisabled !== 0)
    throw klendRejection('BorrowingDisabled', 'the market does not allow borrowing');
  requireFresh(reserve, context, { what: 'Reserve', checks: ALL_PRICE_CHECKS });
  const maturity = reserve.config.debtMaturityTimestamp;
  if (maturity !== 0n && time.unix >= maturity) {
    throw klendRejection('ReserveDebtMaturityReached', 'the debt of this reserve has matured');
  }
  if (obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    throw klendRejection(
      'ObligationCurrentlyMarkedForDeleveraging',
      'the obligation is being deleveraged',
    );
  }
  if (obligation.numOfObsoleteBorrowReserves + obligation.numOfObsoleteDepositReserves > 0) {
    throw klendRejection(
      'ObligationInObsoleteReserve',
      'close positions in obsolete reserves first',
    );
  }
  requireRefreshedDeposits(obligation, context);
  const group = findElevationGroup(market, obligation.elevationGroup);
  if (group !== undefined && !isInGroup(reserve.config, group)) {
    throw klendRejection('InconsistentElevationGroup', `the reserve is not in group ${group.id}`);
  }
  if (group !== undefined && group.allowNewLoans === 0) {
    throw klendRejection(
      'ElevationGroupNewLoansDisabled',
      `group ${group.id} does not accept new loans`,
    );
  }
  if (group === undefined && obligation.borrowingDisabled > 0) {
    throw klendRejection(
      'BorrowingDisabledOutsideElevationGroup',
      'a deposit is collateral only in elevation groups',
    );
  }
}

/** A group has only one debt reserve. */
function requireDebtReserveOfGroup(
  obligation: Obligation,
  context: LendingContext,
  address: Address,
): void {
  const group = findElevationGroup(context.market, obligation.elevationGroup);
  if (group === undefined || group.debtReserve === address) return;
  const reason = `the debt reserve of group ${group.id} is ${group.debtReserve}`;
  throw klendRejection('ElevationGroupHasAnotherDebtReserve', reason);
}

/** Throws unless the obligation is refreshed with all price checks and its deposits have a value. */
export function requireRefreshedDeposits(obligation: Obligation, context: LendingContext): void {
  requireFresh(obligation, context, { what: 'Obligation', checks: ALL_PRICE_CHECKS });
  if (!hasDeposits(obligation)) {
    throw klendRejection('ObligationDepositsEmpty', 'the obligation has no deposits');
  }
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsZero', 'its deposits have no value');
  }
}

/** The reserve after the loan. The referrer fee stays in the reserve. */
function lend(reserve: Reserve, loan: LoanAmounts, context: LendingContext): Reserve {
  const { liquidity, config } = reserve;
  const debtWithdrawalCap = addToWithdrawalAccum(
    config.debtWithdrawalCap,
    ceilSf(loan.debt),
    context.time.unix,
  );
  if (loan.received === 0n)
    throw klendRejection('BorrowTooSmall', 'the fee is as large as the loan');
  const borrowedAmountSf = addSf(liquidity.borrowedAmountSf, loan.debt);
  const limitPct = config.utilizationLimitBlockBorrowingAbovePct;
  const limit = sfFromPercent(BigInt(limitPct));
  const utilization = limitPct === 0 ? 0n : divSf(borrowedAmountSf, totalSupply(liquidity));
  if (limitPct !== 0 && utilization >= limit) {
    const reason = `the utilization would reach ${limitPct} %`;
    const figures = { unit: 'ratio', needed: utilization, limit } as const;
    throw klendRejection('BorrowingAboveUtilizationRateDisabled', reason, figures);
  }
  const out = floorSf(loan.debt) - loan.referrerFee;
  return {
    ...reserve,
    config: { ...config, debtWithdrawalCap },
    liquidity: {
      ...liquidity,
      borrowedAmountSf,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - out),
      accumulatedReferrerFeesSf: addSf(
        liquidity.accumulatedReferrerFeesSf,
        sfFromInt(loan.referrerFee),
      ),
    },
  };
}

/** A new debt entry at the present rate of the reserve. */
export function openBorrow(
  free: ObligationBorrow,
  address: Address,
  reserve: Reserve,
): ObligationBorrow {
  const { cumulativeBorrowRateBsf } = reserve.liquidity;
  return {
    ...emptyBorrow(free),
    borrowReserve: address,
    cumulativeBorrowRateBsf: {
      ...free.cumulativeBorrowRateBsf,
      value: cumulativeBorrowRateBsf.value,
    },
  };
}

/** Clears a debt entry. */
export function emptyBorrow(borrow: ObligationBorrow): ObligationBorrow {
  const { cumulativeBorrowRateBsf, padding2 } = borrow;
  return {
    borrowReserve: ZERO_ADDRESS,
    cumulativeBorrowRateBsf: {
      value: bsfFromBits(0n),
      padding: new Uint8Array(cumulativeBorrowRateBsf.padding.length),
    },
    lastBorrowedAtTimestamp: toUnixSeconds(0n),
    borrowedAmountSf: sfFromBits(0n),
    marketValueSf: sfFromBits(0n),
    borrowFactorAdjustedMarketValueSf: sfFromBits(0n),
    borrowedAmountOutsideElevationGroups: toLamports(0n),
    fixedTermBorrowRolloverConfig: {
      autoRolloverEnabled: 0,
      openTermAllowed: 0,
      migrationToFixedEnabled: 0,
      fixedTermRolloverWindowDurationDays: 0,
      maxBorrowRateBps: 0,
      minDebtTermSeconds: 0n,
    },
    borrowedAmountAtExpiration: toLamports(0n),
    padding2: new Uint8Array(padding2.length),
  };
}

/** A debt cannot increase after its term. */
function requireTerm(borrow: ObligationBorrow, reserve: Reserve, { time }: LendingContext): void {
  const { debtTermSeconds } = reserve.config;
  const start = borrow.lastBorrowedAtTimestamp;
  if (debtTermSeconds === 0n || start === 0n || time.unix < start + debtTermSeconds) return;
  throw klendRejection(
    'DebtReachedReserveDebtTerm',
    'the debt has reached its term; repay it first',
  );
}

/** Checks the result with the values of the last refresh. */
function requireSoundLoan(
  obligation: Obligation,
  context: LendingContext,
  { reserve, loan, previousValue }: { reserve: Reserve; loan: LoanAmounts; previousValue: Sf },
): void {
  const value = marketValue(reserve.liquidity, loan.debt);
  const factor = borrowFactor(reserve.config.borrowFactorPct, obligation.elevationGroup !== 0);
  requireMinNetValue(addSf(previousValue, value), context);
  const adjusted = addSf(obligation.borrowFactorAdjustedDebtValueSf, mulSf(value, factor));
  const ltv = divSf(adjusted, obligation.depositedValueSf);
  if (ltv > unhealthyLoanToValue(obligation)) {
    throw klendRejection('WorseLtvThanUnhealthyLtv', 'the loan would be liquidatable', {
      unit: 'ratio',
      needed: ltv,
      limit: unhealthyLoanToValue(obligation),
    });
  }
  const debt = addSf(obligation.borrowedAssetsMarketValueSf, value);
  if (debt >= obligation.depositedValueSf) {
    throw klendRejection('LiabilitiesBiggerThanAssets', 'the debt would exceed the deposits', {
      unit: 'usd',
      needed: debt,
      available: obligation.depositedValueSf,
    });
  }
}
