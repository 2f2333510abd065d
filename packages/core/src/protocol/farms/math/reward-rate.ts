import { type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import {
  type FarmContext,
  farmTime,
  hasOracle,
  isConstantReward,
  isSlotBased,
  powerOfTen,
  requireOraclePrice,
  scheduledRate,
} from './issuance.ts';
import { type FarmPositionView, rewardAt } from './user-reward.ts';

const ZERO: Ratio = { numerator: 0n, denominator: 1n };
const SECONDS_PER_YEAR = 31_536_000n;

export type RewardRateInput = {
  readonly context: FarmContext;
  /** The measured speed of the cluster. Only used for a slot-based farm. */
  readonly slotsPerSecond: Ratio;
};

/**
 * The current rate of reward `index` for all stakes, in whole reward tokens per second. Uses the given oracle
 * price, whatever its age. Zero if no rewards are left.
 */
export function rewardPerSecond(
  farm: FarmStateView,
  index: number,
  { context, slotsPerSecond }: RewardRateInput,
): Ratio {
  const reward = rewardAt(farm, index);
  if (reward.rewardsAvailable === 0n) return ZERO;
  const rate = scheduledRate(reward.rewardScheduleCurve.points, farmTime(farm, context.at));
  const units = isConstantReward(reward) ? rate * farm.totalStakedAmount : rate;
  const scale =
    powerOfTen(BigInt(reward.rewardsPerSecondDecimals)) * powerOfTen(reward.token.decimals);
  const perTimeUnit = product(
    { numerator: units, denominator: scale },
    oracleFactor(farm, context),
  );
  return isSlotBased(farm) ? product(perTimeUnit, slotsPerSecond) : perTimeUnit;
}

/**
 * The yearly reward divided by the staked value, both in the same currency. Does not compound. Zero if nothing is
 * staked.
 */
export function rewardApr(
  perSecond: Ratio,
  { rewardPrice, stakedValue }: { readonly rewardPrice: Ratio; readonly stakedValue: Ratio },
): Ratio {
  if (stakedValue.numerator === 0n) return ZERO;
  const value = product(perSecond, rewardPrice);
  return ratio(
    value.numerator * SECONDS_PER_YEAR * stakedValue.denominator,
    value.denominator * stakedValue.numerator,
  );
}

/** The share of the farm's stake that belongs to the user. */
export function stakeShare({ farm, user }: FarmPositionView): Ratio {
  if (farm.totalActiveStakeScaled === 0n) return ZERO;
  return { numerator: user.activeStakeScaled, denominator: farm.totalActiveStakeScaled };
}

function oracleFactor(farm: FarmStateView, { price }: FarmContext): Ratio {
  if (!hasOracle(farm)) return { numerator: 1n, denominator: 1n };
  const { value, exp } = requireOraclePrice(price).price;
  return { numerator: value, denominator: powerOfTen(exp) };
}

const product = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});
