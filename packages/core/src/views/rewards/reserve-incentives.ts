import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { powRatio } from '../../base/numbers/ratio-power.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import { rewardApr } from '../../protocol/farms/math/reward-rate.ts';
import { type RewardViewContext, viewFarmRewards } from './farm-rewards.ts';

/** A farm reward of a reserve's lenders or borrowers. */
export type ReserveIncentive = {
  readonly rewardToken: Address;
  /** Whole tokens for all positions together. */
  readonly tokensPerSecond: Ratio;
  /** On all deposits or debts of the reserve. Zero if the token has no price. */
  readonly apy: Ratio;
};

/** The rewards that a farm pays now. `positionsUsd`: the value of all deposits or debts of the reserve. */
export const viewReserveIncentives = (
  farm: FarmStateView,
  positionsUsd: Ratio,
  context: RewardViewContext,
): readonly ReserveIncentive[] =>
  viewFarmRewards(farm, ZERO_RATIO, context)
    .filter(({ perSecond }) => perSecond.numerator > 0n)
    .map(({ mint, perSecond, price }) => {
      const value = { rewardPrice: price ?? ZERO_RATIO, stakedValue: positionsUsd };
      const apy = dailyCompoundedApy(rewardApr(perSecond, value));
      return { rewardToken: mint, tokensPerSecond: perSecond, apy };
    });

const DAYS_PER_YEAR = 365n;

/** On a nearly empty reserve a rate can be so high that its yield has thousands of digits. */
const MAX_COMPOUNDED_RATE = 100n;

/** The yield of a rate that is paid out and deposited again every day. A rate above 10,000 % is not compounded. */
function dailyCompoundedApy({ numerator, denominator }: Ratio): Ratio {
  if (numerator > denominator * MAX_COMPOUNDED_RATE) return { numerator, denominator };
  const unit = denominator * DAYS_PER_YEAR;
  const grown = powRatio(
    { numerator: unit + numerator, denominator: unit },
    { numerator: DAYS_PER_YEAR, denominator: 1n },
  );
  return addRatio(grown, { numerator: -1n, denominator: 1n });
}
