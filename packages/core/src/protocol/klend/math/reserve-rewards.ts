import type { Ratio } from '../../../base/numbers/decimal.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { floorSf, ONE_SF } from '../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../layout/reserve.ts';
import { PROGRAM_SLOT_MS, SLOTS_PER_YEAR } from './interest.ts';
import { type SupplySource, totalSupply } from './supply.ts';

const FULL_BPS = 10_000n;
const U128_MAX = (1n << 128n) - 1n;

export type RewardsSource = SupplySource &
  Pick<ReserveView['liquidity'], 'rewardsAmountAvailable'> &
  Pick<ReserveView['config'], 'rewardsAmountPerSlot'> &
  Pick<ReserveView['collateral'], 'mintTotalSupply'>;

/**
 * The lamports that a refresh after `elapsed` slots moves from the reserve's rewards to its liquidity, so that each cToken
 * is worth more. The least of the configured rate, the market's maximum APR on the supply with interest (whole lamports),
 * and the remaining rewards. Intermediate products stop at 128 bits, as in the program.
 */
export function distributedRewards(
  source: RewardsSource,
  { elapsed, maxAprBps }: { readonly elapsed: bigint; readonly maxAprBps: number },
): Lamports {
  if (elapsed === 0n || !paysRewards(source, maxAprBps)) return toLamports(0n);
  const configured = saturate(source.rewardsAmountPerSlot * elapsed);
  const supply = floorSf(totalSupply(source));
  const capped = saturate(saturate(supply * BigInt(maxAprBps)) * elapsed);
  const cap = capped / (FULL_BPS * SLOTS_PER_YEAR);
  return toLamports(least(least(configured, cap), source.rewardsAmountAvailable));
}

/**
 * The simple yearly rate of a reserve's own rewards on its supply, per real year; zero without remaining rewards. Not part
 * of the supply rate, which is the lenders' share of the interest.
 */
export function reserveRewardsApr(
  source: RewardsSource,
  { maxAprBps, slotMs }: { readonly maxAprBps: number; readonly slotMs: Ratio },
): Ratio {
  const supply = totalSupply(source);
  if (supply === 0n || !paysRewards(source, maxAprBps)) return ZERO_RATIO;
  const yearly = source.rewardsAmountPerSlot * SLOTS_PER_YEAR * ONE_SF;
  const isCapped = yearly * FULL_BPS > BigInt(maxAprBps) * supply;
  const rate = isCapped
    ? { numerator: BigInt(maxAprBps), denominator: FULL_BPS }
    : { numerator: yearly, denominator: supply };
  return {
    numerator: rate.numerator * PROGRAM_SLOT_MS * slotMs.denominator,
    denominator: rate.denominator * slotMs.numerator,
  };
}

/** A market with a maximum of 0 has rewards disabled. */
const paysRewards = (source: RewardsSource, maxAprBps: number): boolean =>
  maxAprBps !== 0 &&
  source.rewardsAmountPerSlot !== 0n &&
  source.rewardsAmountAvailable !== 0n &&
  source.mintTotalSupply !== 0n;

const saturate = (value: bigint): bigint => least(value, U128_MAX);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
