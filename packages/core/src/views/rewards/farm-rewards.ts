import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, sumRatios, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { ChainTime } from '../../base/time.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import { type FarmContext, hasOracle, isDelegated } from '../../protocol/farms/math/issuance.ts';
import { rewardApr, rewardPerSecond } from '../../protocol/farms/math/reward-rate.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import type { PriceFeeds } from '../lending/reserve-price.ts';
import type { TokenLookup } from '../lending/token-prices.ts';

/** The time and oracles of a farm view. */
export type FarmViewContext = {
  readonly at: ChainTime;
  readonly slotMs: Ratio;
  readonly prices: PriceFeeds;
};

/** With token prices. */
export type RewardViewContext = FarmViewContext & { readonly tokens: TokenLookup };

/**
 * A reward of a farm: whole tokens per second for all stakes together; `apr` is a simple yearly
 * rate.
 */
export type FarmReward = {
  readonly mint: Address;
  readonly perSecond: Ratio;
  readonly apr: Ratio;
  /** USD value of all stakes. */
  readonly stakedValue: Ratio;
  /** USD per whole reward token; undefined if unknown. */
  readonly price: Ratio | undefined;
  readonly decimals: bigint;
  /** Smallest units issued since the farm's creation. */
  readonly issued: bigint;
};

const MS_PER_SECOND = 1000n;

/**
 * The rewards of a farm relative to the value of its stakes. `unitPrice` is USD per smallest staked
 * unit. A reward without a known price has an APR of 0.
 */
export function viewFarmRewards(
  farm: FarmStateView,
  unitPrice: Ratio,
  context: RewardViewContext,
): readonly FarmReward[] {
  const staked = isDelegated(farm) ? farm.totalActiveStakeScaled : farm.totalStakedAmount;
  const stakedValue = mulRatio({ numerator: staked, denominator: 1n }, unitPrice);
  return rewardIndexes(farm).map((index) => {
    const { token, rewardsIssuedCumulative: issued } = rewardAt(farm, index);
    const { mint, decimals } = token;
    const perSecond = rateOf(farm, index, context);
    const price = context.tokens(mint)?.price;
    const apr = rewardApr(perSecond, { rewardPrice: price ?? ZERO_RATIO, stakedValue });
    return { mint, perSecond, apr, stakedValue, price, decimals, issued };
  });
}

export const totalApr = (rewards: readonly FarmReward[]): Ratio =>
  sumRatios(rewards.map(({ apr }) => apr));

/** With the farm's oracle price; undefined if that price is unknown. */
export function resolveFarmContext(
  farm: FarmStateView,
  { at, prices }: FarmViewContext,
): FarmContext | undefined {
  if (!hasOracle(farm)) return { at };
  const index = Number(farm.scopeOraclePriceId);
  const price = prices(farm.scopePrices)?.at(index);
  return price === undefined ? undefined : { at, price };
}

/** The indexes of the used rewards. */
export const rewardIndexes = ({ numRewardTokens, rewardInfos }: FarmStateView): number[] =>
  Array.from({ length: Math.min(Number(numRewardTokens), rewardInfos.length) }, (_, i) => i);

/** Zero if the farm cannot pay: its oracle is missing, or a number overflows. */
function rateOf(farm: FarmStateView, index: number, view: FarmViewContext): Ratio {
  const context = resolveFarmContext(farm, view);
  if (context === undefined) return ZERO_RATIO;
  const { numerator, denominator } = view.slotMs;
  const slotsPerSecond = ratio(MS_PER_SECOND * denominator, numerator);
  return (
    undefinedOnCodedError(() => rewardPerSecond(farm, index, { context, slotsPerSecond })) ??
    ZERO_RATIO
  );
}

/** Undefined if `compute` throws a coded error. */
export function undefinedOnCodedError<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
