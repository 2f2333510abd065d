import { type Bsf, mulBsf, rescaleSf } from '../../../base/numbers/big-scaled-fraction.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  mulSf,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromPercent,
  subSf,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { ObligationView } from '../layout/obligation.ts';
import type { ReserveView } from '../layout/reserve.ts';
import { borrowRate } from './borrow-curve.ts';
import { compoundedInterest } from './interest.ts';
import { type SupplySource, utilization } from './supply.ts';

const SLOTS_PER_SECOND = 2n;

type TermDebt = Pick<
  ObligationView['borrows'] extends Iterable<infer Borrow> ? Borrow : never,
  'lastBorrowedAtTimestamp' | 'borrowedAmountSf' | 'cumulativeBorrowRateBsf'
>;

/** A reserve that is accrued to the slot of the repayment. */
type TermReserve = {
  readonly config: Pick<
    ReserveView['config'],
    | 'debtTermSeconds'
    | 'earlyRepayRemainingInterestPct'
    | 'borrowRateCurve'
    | 'hostFixedInterestRateBps'
  >;
  readonly liquidity: SupplySource;
  readonly cumulativeBorrowRate: Bsf;
};

export type EarlyRepayment = { readonly amount: Sf; readonly now: UnixSeconds };

/**
 * What a repayment before the end of the debt's term costs on top: a part of the interest that the amount would still bear
 * at the present rate, rounded up. Zero for a debt without a term.
 */
export function earlyRepayPenalty(
  reserve: TermReserve,
  debt: TermDebt,
  { amount, now }: EarlyRepayment,
): Lamports {
  return toLamports(ceilSf(mulSf(amount, penaltyRate(reserve, debt, now))));
}

function penaltyRate(reserve: TermReserve, debt: TermDebt, now: UnixSeconds): Sf {
  const { config, liquidity, cumulativeBorrowRate } = reserve;
  const { debtTermSeconds, earlyRepayRemainingInterestPct: pct } = config;
  const borrowedAt = debt.lastBorrowedAtTimestamp;
  if (pct === 0 || debtTermSeconds === 0n || borrowedAt === 0n) return ZERO_SF;
  const elapsed = now > borrowedAt ? now - borrowedAt : 0n;
  if (debt.borrowedAmountSf === 0n || elapsed >= debtTermSeconds) return ZERO_SF;
  const hostRate = sfFromBps(BigInt(config.hostFixedInterestRateBps));
  const rate = addSf(borrowRate(config.borrowRateCurve.points, utilization(liquidity)), hostRate);
  const growth = compoundedInterest(rate, (debtTermSeconds - elapsed) * SLOTS_PER_SECOND);
  const atTermEnd = mulBsf(cumulativeBorrowRate, growth);
  const grown = rescaleSf(ONE_SF, atTermEnd, debt.cumulativeBorrowRateBsf.value);
  return mulSf(subSf(grown, ONE_SF), sfFromPercent(BigInt(pct)));
}
