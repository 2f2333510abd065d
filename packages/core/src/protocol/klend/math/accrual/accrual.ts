import { type Bsf, mulBsf } from '../../../../base/numbers/big-scaled-fraction.ts';
import { type Lamports, toLamports } from '../../../../base/numbers/lamports.ts';
import {
  addSf,
  mulSf,
  type Sf,
  sfFromBps,
  sfFromPercent,
  subSf,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { ChainTime } from '../../../../base/time.ts';
import type { LendingMarketView } from '../../layout/lending-market.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import type { LendingRules } from '../../lending-rules.ts';
import { borrowRate } from '../borrow-curve.ts';
import { utilization } from '../supply.ts';
import { type AccrualDuration, accrualDuration, interestRateBasis } from './accrual-duration.ts';
import { compoundedInterest } from './rates.ts';
import { distributedRewards } from './reserve-rewards.ts';

/** The liquidity fields that interest and rewards change. */
export type ReserveAccrual = {
  readonly totalAvailableAmount: Lamports;
  readonly rewardsAmountAvailable: Lamports;
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRate: Bsf;
  readonly accumulatedProtocolFeesSf: Sf;
  readonly pendingReferrerFeesSf: Sf;
  readonly absoluteReferralRateSf: Sf;
};

/** The settings of a market that its reserves accrue with. */
export type AccrualTerms = Pick<LendingMarketView, 'referralFeeBps' | 'reserveRewardsMaxAprBps'>;

export type AccrualInput = AccrualTerms & {
  readonly time: ChainTime;
  readonly rules: LendingRules;
};

/** The terms without a market: nothing for referrers, no rewards. */
export const NO_ACCRUAL_TERMS: AccrualTerms = { referralFeeBps: 0, reserveRewardsMaxAprBps: 0 };

export const accrualTerms = ({
  referralFeeBps,
  reserveRewardsMaxAprBps,
}: AccrualTerms): AccrualTerms => ({ referralFeeBps, reserveRewardsMaxAprBps });

/**
 * The tokens, debt and fees of a reserve after a refresh at the time: first interest, then rewards. Every figure of a
 * reserve starts here. Fields are named one by one, because Node.js 20 takes a microsecond for each that follows a spread.
 */
export function accrueReserve(reserve: ReserveView, input: AccrualInput): ReserveAccrual {
  const basis = interestRateBasis(reserve.config, input.rules);
  const duration = accrualDuration(basis, reserve.lastUpdate, input.time);
  const interest = accrueInterest(reserve, duration, input);
  const { borrowedAmountSf, accumulatedProtocolFeesSf, pendingReferrerFeesSf } = interest;
  const { totalAvailableAmount, rewardsAmountAvailable, accumulatedReferrerFeesSf } =
    reserve.liquidity;
  const rewards = distributedRewards(
    {
      totalAvailableAmount,
      rewardsAmountAvailable,
      borrowedAmountSf,
      accumulatedProtocolFeesSf,
      accumulatedReferrerFeesSf,
      pendingReferrerFeesSf,
      rewardsAmountPerAccrualUnit: reserve.config.rewardsAmountPerAccrualUnit,
      mintTotalSupply: reserve.collateral.mintTotalSupply,
    },
    { duration, maxAprBps: input.reserveRewardsMaxAprBps },
  );
  return {
    totalAvailableAmount: toLamports(totalAvailableAmount + rewards),
    rewardsAmountAvailable: toLamports(rewardsAmountAvailable - rewards),
    borrowedAmountSf,
    cumulativeBorrowRate: interest.cumulativeBorrowRate,
    accumulatedProtocolFeesSf,
    pendingReferrerFeesSf,
    absoluteReferralRateSf: interest.absoluteReferralRateSf,
  };
}

type AccruedInterest = Omit<ReserveAccrual, 'totalAvailableAmount' | 'rewardsAmountAvailable'>;

function accrueInterest(
  { liquidity, config }: ReserveView,
  duration: AccrualDuration,
  { referralFeeBps, rules }: AccrualInput,
): AccruedInterest {
  const debt = liquidity.borrowedAmountSf;
  const cumulative = liquidity.cumulativeBorrowRateBsf.value;
  if (duration.units === 0n) {
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
  const growth = compoundedInterest(rate, duration, rules);
  const newDebt = mulSf(debt, growth);
  const hostFee = subSf(mulSf(debt, compoundedInterest(hostRate, duration, rules)), debt);
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
