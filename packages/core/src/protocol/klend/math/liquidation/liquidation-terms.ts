import type { Lamports } from '../../../../base/numbers/lamports.ts';
import {
  addSf,
  minSf,
  mulSf,
  mulSfByRatio,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromInt,
  subSf,
  subSfToZero,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../../base/time.ts';
import { loanToValueWithoutBorrowFactor } from '../health.ts';
import {
  type DeleveragingInput,
  individualDeleveragingBonus,
  marketWideDeleveragingBonus,
  maturityBonus,
  termBonus,
} from './deleveraging.ts';
import { exceededLtvBonus, maxClosedByLtv } from './liquidation.ts';
import {
  isPriceTriggered,
  type ObligationOrderView,
  ORDER_OPPORTUNITIES,
  orderConditionHit,
} from './order-condition.ts';

/** Why a loan can be liquidated. */
export type LiquidationReason =
  | { readonly kind: 'ltvExceeded' | 'individualDeleveraging' | 'marketWideDeleveraging' }
  | { readonly kind: 'debtMaturity' }
  | { readonly kind: 'debtTerm'; readonly secondsSinceEnd: bigint }
  | { readonly kind: 'obligationOrder'; readonly index: number };

export type LiquidationTerms = { readonly reason: LiquidationReason; readonly bonus: Sf };

export type LiquidationTermsInput = DeleveragingInput & {
  readonly debt: {
    readonly lastBorrowedAtTimestamp: UnixSeconds;
    readonly borrowedAmountAtExpiration: Lamports;
  };
};

/** The first reason that applies, in the order of the program, and its bonus. Undefined for a loan that is safe. */
export function findLiquidationTerms(input: LiquidationTermsInput): LiquidationTerms | undefined {
  const byLtv = exceededLtvBonus(input);
  if (byLtv !== undefined) return { reason: { kind: 'ltvExceeded' }, bonus: byLtv };
  const marked = individualDeleveragingBonus(input);
  if (marked !== undefined) return { reason: { kind: 'individualDeleveraging' }, bonus: marked };
  const wide = marketWideDeleveragingBonus(input);
  if (wide !== undefined) return { reason: { kind: 'marketWideDeleveraging' }, bonus: wide };
  const mature = maturityBonus(input);
  if (mature !== undefined) return { reason: { kind: 'debtMaturity' }, bonus: mature };
  const term = termBonus(input);
  if (term !== undefined) {
    const { secondsSinceEnd, bonus } = term;
    return { reason: { kind: 'debtTerm', secondsSinceEnd }, bonus };
  }
  return orderTerms(input);
}

/** The maximum debt that one liquidation for the reason can close. */
export function maxClosedDebt(input: LiquidationTermsInput, reason: LiquidationReason): Sf {
  const owed = input.debt.borrowedAmountSf;
  switch (reason.kind) {
    case 'debtMaturity':
      return owed;
    case 'debtTerm':
      return subSfToZero(owed, protectedDebt(input, reason.secondsSinceEnd));
    case 'obligationOrder': {
      const order = [...input.obligation.obligationOrders][reason.index];
      const isPart = order?.opportunityType === ORDER_OPPORTUNITIES.singleDebtAmount;
      return isPart ? minSf(order.opportunityParameterSf, owed) : owed;
    }
    default:
      return maxClosedByLtv(input);
  }
}

/** The part of an expired debt that is not liquidatable yet: it falls from all of it to zero over the market's duration. */
function protectedDebt({ market, debt }: LiquidationTermsInput, secondsSinceEnd: bigint): Sf {
  const duration = market.termBasedFullLiquidationDurationSecs;
  if (duration === 0n) return sfFromInt(0n);
  const left = duration > secondsSinceEnd ? duration - secondsSinceEnd : 0n;
  return mulSfByRatio(sfFromInt(debt.borrowedAmountAtExpiration), left, duration);
}

function orderTerms(input: LiquidationTermsInput): LiquidationTerms | undefined {
  const { market, obligation, debtLiquidity, collateralLiquidity } = input;
  const prices = {
    debt: debtLiquidity.marketPriceSf,
    collateral: collateralLiquidity.marketPriceSf,
  };
  for (const [index, order] of [...obligation.obligationOrders].entries()) {
    const hit = orderConditionHit(order, obligation, prices);
    const isDisabled = market.priceTriggeredLiquidationDisabled !== 0 && isPriceTriggered(order);
    if (hit === undefined || isDisabled) continue;
    // Only the first order that applies counts, even if the market does not execute orders.
    if (market.obligationOrderExecutionEnabled === 0) return undefined;
    return { reason: { kind: 'obligationOrder', index }, bonus: orderBonus(order, hit, input) };
  }
  return undefined;
}

/** Between the order's minimum at its threshold and its maximum, never more than the deposits are worth above the debts. */
function orderBonus(
  { minExecutionBonusBps, maxExecutionBonusBps }: ObligationOrderView,
  hit: Sf | 'always',
  { obligation }: LiquidationTermsInput,
): Sf {
  const min = sfFromBps(BigInt(minExecutionBonusBps));
  const max = sfFromBps(BigInt(maxExecutionBonusBps));
  const bonus = hit === 'always' ? min : addSf(min, mulSf(hit, subSf(max, min)));
  return minSf(bonus, subSfToZero(ONE_SF, loanToValueWithoutBorrowFactor(obligation)));
}
