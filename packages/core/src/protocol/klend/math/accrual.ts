import { CodedError } from '../../../base/errors.ts';
import { type Bsf, mulBsf } from '../../../base/numbers/big-scaled-fraction.ts';
import {
  addSf,
  mulSf,
  type Sf,
  sfFromBps,
  sfFromPercent,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import type { Slot } from '../../../base/time.ts';
import type { ReserveView } from '../layout/reserve.ts';
import { borrowRate } from './borrow-curve.ts';
import { compoundedInterest } from './interest.ts';
import { utilization } from './supply.ts';

/** The liquidity fields that interest changes. */
export type ReserveAccrual = {
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRate: Bsf;
  readonly accumulatedProtocolFeesSf: Sf;
  readonly pendingReferrerFeesSf: Sf;
  readonly absoluteReferralRateSf: Sf;
};

export type AccrualInput = {
  readonly slot: Slot;
  /** `LendingMarket.referralFeeBps` */
  readonly referralFeeBps: number;
};

/** The debt and fees of a reserve after a refresh in the slot. */
export function accrueReserve(
  reserve: ReserveView,
  { slot, referralFeeBps }: AccrualInput,
): ReserveAccrual {
  const { liquidity, config } = reserve;
  const elapsed = slotsElapsed(reserve.lastUpdate.slot, slot);
  const debt = liquidity.borrowedAmountSf;
  const cumulative = liquidity.cumulativeBorrowRateBsf.value;
  if (elapsed === 0n) {
    return {
      borrowedAmountSf: debt,
      cumulativeBorrowRate: cumulative,
      accumulatedProtocolFeesSf: liquidity.accumulatedProtocolFeesSf,
      pendingReferrerFeesSf: liquidity.pendingReferrerFeesSf,
      absoluteReferralRateSf: liquidity.absoluteReferralRateSf,
    };
  }
  const hostRate = sfFromBps(BigInt(config.hostFixedInterestRateBps));
  const rate = addSf(borrowRate(config.borrowRateCurve.points, utilization(liquidity)), hostRate);
  const growth = compoundedInterest(rate, elapsed);
  const newDebt = mulSf(debt, growth);
  const hostFee = subSf(mulSf(debt, compoundedInterest(hostRate, elapsed)), debt);
  const variable = subSf(subSf(newDebt, debt), hostFee);

  const takeRate = sfFromPercent(BigInt(config.protocolTakeRatePct));
  const absoluteReferralRateSf = mulSf(takeRate, sfFromBps(BigInt(referralFeeBps)));
  const referrers = mulSf(variable, absoluteReferralRateSf);
  const protocol = subSf(addSf(hostFee, mulSf(variable, takeRate)), referrers);
  return {
    borrowedAmountSf: newDebt,
    cumulativeBorrowRate: mulBsf(cumulative, growth),
    accumulatedProtocolFeesSf: addSf(liquidity.accumulatedProtocolFeesSf, protocol),
    pendingReferrerFeesSf: addSf(liquidity.pendingReferrerFeesSf, referrers),
    absoluteReferralRateSf,
  };
}

/** Throws for a slot before the last update, as the program does. */
export function slotsElapsed(from: Slot, to: Slot): bigint {
  if (to < from) throw new CodedError('MATH_OVERFLOW', { what: 'number of slots', bits: 64 });
  return to - from;
}
