import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  divSf,
  minSf,
  mulSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type EarlyRepayment, earlyRepayPenalty } from '../math/accrual/early-repay-penalty.ts';
import { loanToValue } from '../math/health.ts';
import { borrowFactor, marketValue } from '../math/liquidity.ts';
import { subFromWithdrawalAccum } from '../math/withdrawal-caps.ts';
import { emptyBorrow } from './borrow.ts';
import { trackRepaidDebt } from './debt-trackers.ts';
import { requireCompatibleOrders, withoutOrdersIfNoDebt } from './obligation-orders.ts';
import {
  elementAt,
  findBorrowIndex,
  hasBorrows,
  type LendingContext,
  markStale,
  type ObligationBorrow,
  type ObligationPosition,
  requireFresh,
  requireMinNetValue,
  requireNoEmergencyMode,
  requireNonZeroAmount,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { withLimitTimestamps } from './refresh/refresh-reserve.ts';

export type RepayRequest = {
  readonly reserve: Address;
  /** The maximum lamports. U64_MAX repays the full debt. */
  readonly amount: bigint;
};

export type RepayResult = ObligationPosition & {
  /** The reduction of the debt. */
  readonly settledDebt: Sf;
  /** The payment, rounded up, with the penalty. */
  readonly repaid: Lamports;
  /** The part of the payment for repaying before the end of the term. It goes to the protocol. */
  readonly penalty: Lamports;
};

/** Repays a debt of the obligation. */
export function repay(
  position: ObligationPosition,
  context: LendingContext,
  { reserve: address, amount }: RepayRequest,
): RepayResult {
  const { obligation } = position;
  const reserve = reserveOf(position.reserves, address);
  requireNoEmergencyMode(context, reserve);
  requireNonZeroAmount(amount);
  const index = findBorrowIndex(obligation, address);
  const borrow = elementAt(obligation.borrows, index);
  const debt = borrow.borrowedAmountSf;
  if (debt === 0n) throw klendRejection('ObligationLiquidityEmpty', 'the debt is zero');
  requireFresh(reserve, context, { what: 'Reserve', checks: 0 });
  requireFresh(obligation, context, { what: 'Obligation', checks: 0 });
  const settledDebt = amount === U64_MAX ? debt : minSf(sfFromInt(amount), debt);
  const repaid = toLamports(ceilSf(settledDebt));
  const penalty = penaltyOf(reserve, borrow, {
    amount: settledDebt,
    now: context.time.unix,
    rules: context.rules,
  });
  const tracked = trackRepaidDebt(position, { borrow: index, reserve: address }, repaid);
  const current = reserveOf(tracked.reserves, address);
  const paid = receivePenalty(receiveRepayment(current, { settledDebt, repaid }), penalty);
  const { config } = paid;
  const debtWithdrawalCap = subFromWithdrawalAccum(
    config.debtWithdrawalCap,
    repaid,
    context.time.unix,
  );
  const after = reduceDebt(tracked.obligation, index, settledDebt);
  requireCompatibleOrders(after);
  requireSoundRepayment(after, context, { reserve, settledDebt, index });
  return {
    obligation: withAssetTiers(markStale(after), context),
    reserves: withReserve(
      tracked.reserves,
      address,
      markStale(
        withLimitTimestamps({ ...paid, config: { ...config, debtWithdrawalCap } }, context),
      ),
    ),
    settledDebt,
    repaid: toLamports(repaid + penalty),
    penalty,
  };
}

const penaltyOf = (
  { config, liquidity }: Reserve,
  borrow: ObligationBorrow,
  repayment: EarlyRepayment,
): Lamports => {
  const cumulativeBorrowRate = liquidity.cumulativeBorrowRateBsf.value;
  return earlyRepayPenalty({ config, liquidity, cumulativeBorrowRate }, borrow, repayment);
};

/** Adds the penalty to the tokens of the reserve and to the protocol's fees, so that lenders get nothing of it. */
function receivePenalty(reserve: Reserve, penalty: Lamports): Reserve {
  if (penalty === 0n) return reserve;
  const { liquidity } = reserve;
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount + penalty),
      accumulatedProtocolFeesSf: addSf(liquidity.accumulatedProtocolFeesSf, sfFromInt(penalty)),
    },
  };
}

/** Reduces the reserve's debt and adds the payment. */
export function receiveRepayment(
  reserve: Reserve,
  { settledDebt, repaid }: { readonly settledDebt: Sf; readonly repaid: Lamports },
): Reserve {
  const { liquidity } = reserve;
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount + repaid),
      borrowedAmountSf: subSf(
        liquidity.borrowedAmountSf,
        minSf(settledDebt, liquidity.borrowedAmountSf),
      ),
    },
  };
}

/** Reduces a debt of the obligation and clears the entry when nothing is left. */
export function reduceDebt(obligation: Obligation, index: number, settledDebt: Sf): Obligation {
  const borrows = obligation.borrows.map((borrow, i) => {
    if (i !== index) return borrow;
    if (settledDebt === borrow.borrowedAmountSf) return emptyBorrow(borrow);
    return { ...borrow, borrowedAmountSf: subSf(borrow.borrowedAmountSf, settledDebt) };
  });
  const after = { ...obligation, borrows };
  return withoutOrdersIfNoDebt({ ...after, hasDebt: hasBorrows(after) ? 1 : 0 });
}

/** Checks the result with the values of the last refresh. */
function requireSoundRepayment(
  after: Obligation,
  context: LendingContext,
  { reserve, settledDebt, index }: { reserve: Reserve; settledDebt: Sf; index: number },
): void {
  const value = marketValue(reserve.liquidity, settledDebt);
  const factor = borrowFactor(reserve.config.borrowFactorPct, after.elevationGroup !== 0);
  const previous = elementAt(after.borrows, index).marketValueSf;
  if (previous !== 0n) requireMinNetValue(subSf(previous, value), context);
  if (after.depositedValueSf === 0n) return;
  const debt = subSf(after.borrowFactorAdjustedDebtValueSf, mulSf(value, factor));
  const ltv = divSf(debt, after.depositedValueSf);
  if (ltv > loanToValue(after)) {
    const figures = { unit: 'ratio', needed: ltv, limit: loanToValue(after) } as const;
    throw klendRejection('WorseLtvBlocked', 'the loan-to-value would rise', figures);
  }
}
