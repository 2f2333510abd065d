import type { Address } from '../../base/encoding/address.ts';
import { aprToApy } from '../../base/numbers/apy.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { ratioOfUnits } from '../../base/numbers/ratio.ts';
import type { InterestRateBasis } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { reserveRewardsApr } from '../../protocol/klend/math/accrual/reserve-rewards.ts';
import type { ReserveSnapshot } from './reserve-snapshot.ts';

/**
 * The rewards that a reserve pays to its lenders in its own token: each refresh adds a part of them to the liquidity, so
 * that a cToken is worth more. Amounts are whole tokens, rates yearly fractions.
 */
export type ReserveRewards = {
  readonly address: Address;
  readonly symbol: string;
  readonly mint: Address;
  /** Earned on top of the supply rate. Zero if the market has rewards disabled or nothing is left. */
  readonly apy: Ratio;
  readonly basis: InterestRateBasis;
  /** The market's maximum, per year of the program. */
  readonly maxApr: Ratio;
  /** Whole tokens per slot, or per second if the reserve charges interest per second. */
  readonly perAccrualUnit: Ratio;
  readonly remaining: Ratio;
};

/** Undefined for a reserve that pays no rewards and has none left. */
export function viewReserveRewards(
  reserve: ReserveSnapshot,
  slotMs: Ratio,
): ReserveRewards | undefined {
  const { address, symbol, mint, decimals, config, liquidity, rate, basis, rewardsMaxAprBps } =
    reserve;
  const { rewardsAmountPerAccrualUnit } = config;
  const { rewardsAmountAvailable } = liquidity;
  if (rewardsAmountPerAccrualUnit === 0n && rewardsAmountAvailable === 0n) return undefined;
  const source = {
    ...liquidity,
    rewardsAmountPerAccrualUnit,
    mintTotalSupply: rate.mintTotalSupply,
  };
  const input = { maxAprBps: rewardsMaxAprBps, slotMs, basis };
  return {
    address,
    symbol,
    mint,
    apy: aprToApy(reserveRewardsApr(source, input)),
    basis,
    maxApr: { numerator: BigInt(rewardsMaxAprBps), denominator: 10_000n },
    perAccrualUnit: ratioOfUnits(rewardsAmountPerAccrualUnit, decimals),
    remaining: ratioOfUnits(rewardsAmountAvailable, decimals),
  };
}
