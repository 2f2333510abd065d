import type { Ratio } from '../../../../base/numbers/decimal.ts';
import { type Lamports, toLamports } from '../../../../base/numbers/lamports.ts';
import { ZERO_RATIO } from '../../../../base/numbers/ratio.ts';
import { floorSf, ONE_SF } from '../../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import { type SupplySource, totalSupply } from '../supply.ts';
import {
  type AccrualDuration,
  durationOfSeconds,
  type InterestRateBasis,
  SECONDS_PER_YEAR,
} from './accrual-duration.ts';
import { perRealYear } from './rates.ts';

const FULL_BPS = 10_000n;
const U128_MAX = (1n << 128n) - 1n;

export type RewardsSource = SupplySource &
  Pick<ReserveView['liquidity'], 'rewardsAmountAvailable'> &
  Pick<ReserveView['config'], 'rewardsAmountPerAccrualUnit'> &
  Pick<ReserveView['collateral'], 'mintTotalSupply'>;

/**
 * The lamports that a refresh after the duration moves from the reserve's rewards to its liquidity, so that each cToken
 * is worth more. The least of the configured rate, the market's maximum APR on the supply with interest (whole lamports),
 * and the remaining rewards. Intermediate products stop at 128 bits, as in the program.
 */
export function distributedRewards(
  source: RewardsSource,
  { duration, maxAprBps }: { readonly duration: AccrualDuration; readonly maxAprBps: number },
): Lamports {
  const { units, unitsPerYear } = duration;
  if (units === 0n || !paysRewards(source, maxAprBps)) return toLamports(0n);
  const configured = saturate(source.rewardsAmountPerAccrualUnit * units);
  const supply = floorSf(totalSupply(source));
  const capped = saturate(saturate(supply * BigInt(maxAprBps)) * units);
  const cap = capped / (FULL_BPS * unitsPerYear);
  return toLamports(least(least(configured, cap), source.rewardsAmountAvailable));
}

export type RewardsRateInput = {
  readonly maxAprBps: number;
  readonly slotMs: Ratio;
  readonly basis: InterestRateBasis;
};

/**
 * The simple yearly rate of a reserve's own rewards on its supply, per real year; zero without remaining rewards. Not part
 * of the supply rate, which is the lenders' share of the interest.
 */
export function reserveRewardsApr(
  source: RewardsSource,
  { maxAprBps, slotMs, basis }: RewardsRateInput,
): Ratio {
  const supply = totalSupply(source);
  if (supply === 0n || !paysRewards(source, maxAprBps)) return ZERO_RATIO;
  const { unitsPerYear } = durationOfSeconds(basis, SECONDS_PER_YEAR);
  const yearly = source.rewardsAmountPerAccrualUnit * unitsPerYear * ONE_SF;
  const isCapped = yearly * FULL_BPS > BigInt(maxAprBps) * supply;
  const rate = isCapped
    ? { numerator: BigInt(maxAprBps), denominator: FULL_BPS }
    : { numerator: yearly, denominator: supply };
  return perRealYear(rate, basis, slotMs);
}

/** A market with a maximum of 0 has rewards disabled. */
const paysRewards = (source: RewardsSource, maxAprBps: number): boolean =>
  maxAprBps !== 0 &&
  source.rewardsAmountPerAccrualUnit !== 0n &&
  source.rewardsAmountAvailable !== 0n &&
  source.mintTotalSupply !== 0n;

const saturate = (value: bigint): bigint => least(value, U128_MAX);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
