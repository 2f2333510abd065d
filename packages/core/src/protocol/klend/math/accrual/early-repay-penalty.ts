import { type Bsf, mulBsf, rescaleSf } from '../../../../base/numbers/big-scaled-fraction.ts';
import { type Lamports, toLamports } from '../../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  mulSf,
  type Sf,
  sfFromBps,
  sfFromPercent,
  subSf,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../../base/time.ts';
import type { ObligationView } from '../../layout/obligation.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import type { LendingRules } from '../../lending-rules.ts';
import { borrowRate } from '../borrow-curve.ts';
import { type SupplySource, utilization } from '../supply.ts';
import { durationOfSeconds, interestRateBasis } from './accrual-duration.ts';
import { compoundedInterest } from './rates.ts';

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
    | 'interestRateBasis'
  >;
  readonly liquidity: SupplySource;
  readonly cumulativeBorrowRate: Bsf;
};

export type EarlyRepayment = {
  readonly amount: Sf;
  readonly now: UnixSeconds;
  readonly rules: LendingRules;
};

/**
 * What a repayment before the end of the debt's term costs on top: a part of the interest that the amount would still bear
 * at the present rate, rounded up. Zero for a debt without a term.
 */
export function earlyRepayPenalty(
  reserve: TermReserve,
  debt: TermDebt,
  { amount, now, rules }: EarlyRepayment,
): Lamports {
  const seconds = remainingSeconds(reserve, debt, now);
  if (seconds === 0n) return toLamports(0n);
  const { config, liquidity, cumulativeBorrowRate } = reserve;
  const hostRate = sfFromBps(BigInt(config.hostFixedInterestRateBps));
  const rate = addSf(borrowRate(config.borrowRateCurve.points, utilization(liquidity)), hostRate);
  const duration = durationOfSeconds(interestRateBasis(config, rules), seconds);
  const atTermEnd = mulBsf(cumulativeBorrowRate, compoundedInterest(rate, duration, rules));
  const owed = rescaleSf(amount, atTermEnd, debt.cumulativeBorrowRateBsf.value);
  const share = sfFromPercent(BigInt(config.earlyRepayRemainingInterestPct));
  return toLamports(ceilSf(mulSf(subSf(owed, amount), share)));
}

/** Of the debt's term; 0 for a debt that pays no penalty. A clock before the borrow counts as the time of the borrow. */
function remainingSeconds({ config }: TermReserve, debt: TermDebt, now: UnixSeconds): bigint {
  const { debtTermSeconds, earlyRepayRemainingInterestPct } = config;
  const borrowedAt = debt.lastBorrowedAtTimestamp;
  if (earlyRepayRemainingInterestPct === 0 || borrowedAt === 0n) return 0n;
  if (debt.borrowedAmountSf === 0n) return 0n;
  const elapsed = now > borrowedAt ? now - borrowedAt : 0n;
  return elapsed >= debtTermSeconds ? 0n : debtTermSeconds - elapsed;
}
