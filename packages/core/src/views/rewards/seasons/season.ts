import type { Address } from '../../../base/encoding/address.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  ZERO_FIXED_DECIMAL,
} from '../../../base/numbers/fixed-decimal.ts';
import {
  addRatio,
  compareRatios,
  divRatioOrZero,
  mulRatio,
  ZERO_RATIO,
} from '../../../base/numbers/ratio.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { intersectRanges, isEmptyRange, type TimeRange } from '../../../base/time-range.ts';

/** An off-chain reward program: it pays tokens to holders of certain positions. */
export type Season = TimeRange & {
  readonly source: string;
  readonly rewards: readonly SeasonReward[];
  readonly boosts: readonly SeasonBoost[];
  /** The maximum boost, as a fraction. */
  readonly maxBoost: Ratio;
};

/**
 * Tokens for the shareholders of a vault, or for loans with the deposit, the debt, or both. Paid
 * from `from` (inclusive) to `to` (exclusive), within the season.
 */
export type SeasonReward = {
  readonly vault?: Address;
  readonly depositReserve?: Address;
  readonly borrowReserve?: Address;
  readonly rewardToken: Address;
  /** Whole tokens for all eligible positions together. */
  readonly tokensPerSecond: Ratio;
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

/** A wallet's staking boost from a time until its next boost. */
export type SeasonBoost = {
  readonly wallet: Address;
  readonly stakingBoost: Ratio;
  readonly from: UnixSeconds;
};

/** The eligible USD of a wallet and of all wallets between two samples. */
export type SeasonInterval = TimeRange & {
  readonly walletUsd: Ratio;
  readonly eligibleUsd: Ratio;
};

/** Whole tokens, without and with the wallet's boost. */
export type SeasonEarnings = { readonly base: FixedDecimal; readonly boosted: FixedDecimal };

export const ZERO_SEASON_EARNINGS: SeasonEarnings = {
  base: ZERO_FIXED_DECIMAL,
  boosted: ZERO_FIXED_DECIMAL,
};

export type SeasonRewardInput = {
  readonly season: Season;
  readonly reward: SeasonReward;
  readonly wallet: Address;
};

/**
 * Adds one interval. A wallet earns its share of the eligible value; zero without eligible value.
 */
export function accrueSeasonInterval(
  before: SeasonEarnings,
  interval: SeasonInterval,
  input: SeasonRewardInput,
): SeasonEarnings {
  const paid = intersectRanges(interval, rewardRange(input.reward, input.season));
  if (isEmptyRange(paid)) return before;
  const share = divRatioOrZero(interval.walletUsd, interval.eligibleUsd);
  const perSecond = mulRatio(input.reward.tokensPerSecond, share);
  const over = (seconds: Ratio): FixedDecimal =>
    fixedDecimalFromRatio(mulRatio(perSecond, seconds));
  const seconds = { numerator: paid.end - paid.start, denominator: 1n };
  return {
    base: addFixedDecimals(before.base, over(seconds)),
    boosted: addFixedDecimals(before.boosted, over(addRatio(seconds, boostSeconds(paid, input)))),
  };
}

/** The time range in which a reward is paid. */
export const rewardRange = ({ from, to }: SeasonReward, season: TimeRange): TimeRange =>
  intersectRanges({ start: from, end: to }, season);

/** A wallet's boost, and the boost after the season's cap. */
export type EffectiveBoost = {
  readonly stakingBoost: Ratio;
  readonly effectiveStakingBoost: Ratio;
};

export function boostAt(
  { boosts, maxBoost }: Pick<Season, 'boosts' | 'maxBoost'>,
  wallet: Address,
  at: UnixSeconds,
): EffectiveBoost {
  let found: SeasonBoost | undefined;
  for (const boost of boosts) {
    if (boost.wallet !== wallet || boost.from > at) continue;
    if (found === undefined || boost.from >= found.from) found = boost;
  }
  const stakingBoost = found?.stakingBoost ?? ZERO_RATIO;
  const isCapped = compareRatios(stakingBoost, maxBoost) > 0;
  return { stakingBoost, effectiveStakingBoost: isCapped ? maxBoost : stakingBoost };
}

/** The sum of seconds times their boost. */
function boostSeconds(range: TimeRange, { season, wallet }: SeasonRewardInput): Ratio {
  const boostTimes = season.boosts
    .filter(
      (boost) => boost.wallet === wallet && range.start < boost.from && boost.from < range.end,
    )
    .map(({ from }) => from);
  const starts = [range.start, ...new Set(boostTimes)].sort((a, b) => (a < b ? -1 : 1));
  return starts.reduce((sum: Ratio, start, i) => {
    const end = starts[i + 1] ?? range.end;
    const seconds = { numerator: end - start, denominator: 1n };
    const { effectiveStakingBoost } = boostAt(season, wallet, start);
    return addRatio(sum, mulRatio(seconds, effectiveStakingBoost));
  }, ZERO_RATIO);
}
