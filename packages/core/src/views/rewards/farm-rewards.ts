import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, sumRatios, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { ChainTime } from '../../base/time.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { FarmContext } from '../../protocol/farms/math/farm-time.ts';
import { hasOracle, isDelegated } from '../../protocol/farms/math/issuance.ts';
import { rewardApr, rewardPerSecond } from '../../protocol/farms/math/reward-rate.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import type { PriceFeeds } from '../lending/reserve-price.ts';
import type { TokenLookup } from '../lending/token-prices.ts';

/** When a farm is looked at, and by which oracles. */
export type FarmViewContext = {
  readonly at: ChainTime;
  readonly slotMs: Ratio;
  readonly prices: PriceFeeds;
};

/** The same with what tokens are worth. */
export type RewardViewContext = FarmViewContext & { readonly tokens: TokenLookup };

/** What a farm gives of one token, in whole tokens a second to all stakes together; `apr` is a simple yearly rate. */
export type FarmReward = {
  readonly mint: Address;
  readonly perSecond: Ratio;
  readonly apr: Ratio;
  /** USD of what is staked. */
  readonly stakedValue: Ratio;
  /** USD for a whole token of it; undefined where it is not known. */
  readonly price: Ratio | undefined;
  readonly decimals: bigint;
  /** Smallest units since the farm was made. */
  readonly issued: bigint;
};

const MS_PER_SECOND = 1000n;

/**
 * The rewards of a farm, over the value of its stakes. `unitPrice` is USD for a smallest unit of what is staked.
 * A reward of a token without a known price has the rate 0: what it is worth is not guessed.
 */
export function viewFarmRewards(
  farm: FarmStateView,
  terms: RewardViewContext & { readonly unitPrice: Ratio },
): readonly FarmReward[] {
  const staked = isDelegated(farm) ? farm.totalActiveStakeScaled : farm.totalStakedAmount;
  const stakedValue = mulRatio({ numerator: staked, denominator: 1n }, terms.unitPrice);
  return rewardIndexes(farm).map((index) => {
    const { token, rewardsIssuedCumulative: issued } = rewardAt(farm, index);
    const { mint, decimals } = token;
    const perSecond = rateOf(farm, index, terms);
    const price = terms.tokens(mint)?.price;
    const apr = rewardApr(perSecond, { rewardPrice: price ?? ZERO_RATIO, stakedValue });
    return { mint, perSecond, apr, stakedValue, price, decimals, issued };
  });
}

export const totalApr = (rewards: readonly FarmReward[]): Ratio =>
  sumRatios(rewards.map(({ apr }) => apr));

/** With the price that the farm pays by; undefined where it has one that is not known. */
export function resolveFarmContext(
  farm: FarmStateView,
  { at, prices }: FarmViewContext,
): FarmContext | undefined {
  if (!hasOracle(farm)) return { at };
  const index = Number(farm.scopeOraclePriceId);
  const price = prices(farm.scopePrices)?.at(index);
  return price === undefined ? undefined : { at, price };
}

/** Rewards in use. */
export const rewardIndexes = ({ numRewardTokens, rewardInfos }: FarmStateView): number[] =>
  Array.from({ length: Math.min(Number(numRewardTokens), rewardInfos.length) }, (_, i) => i);

/** Nothing where the farm cannot pay either: an oracle that is missing, numbers that the program stops at. */
function rateOf(farm: FarmStateView, index: number, terms: FarmViewContext): Ratio {
  const moment = resolveFarmContext(farm, terms);
  if (moment === undefined) return ZERO_RATIO;
  const { numerator, denominator } = terms.slotMs;
  const slotsPerSecond = ratio(MS_PER_SECOND * denominator, numerator);
  return (
    undefinedOnCodedError(() => rewardPerSecond(farm, index, { moment, slotsPerSecond })) ??
    ZERO_RATIO
  );
}

/** Undefined where a program would stop at what it is given. */
export function undefinedOnCodedError<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
