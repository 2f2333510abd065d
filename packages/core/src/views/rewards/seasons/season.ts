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

/** A season gives tokens to those who hold certain positions, from outside of the programs. */
export type Season = TimeRange & {
  readonly source: string;
  readonly rewards: readonly SeasonReward[];
  readonly boosts: readonly SeasonBoost[];
  /** The highest fraction that staking can add. */
  readonly maxBoost: Ratio;
};

/**
 * Tokens to the shareholders of a vault, or to loans: to those with the deposit, with the debt, or with both where
 * both are named. From `from` up to before `to`, and never outside of the season.
 */
export type SeasonReward = {
  readonly vault?: Address;
  readonly depositReserve?: Address;
  readonly borrowReserve?: Address;
  readonly rewardToken: Address;
  /** Whole tokens to all eligible positions together. */
  readonly tokensPerSecond: Ratio;
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

/** What a wallet's staking adds from a time on, until its next one. */
export type SeasonBoost = {
  readonly wallet: Address;
  readonly stakingBoost: Ratio;
  readonly from: UnixSeconds;
};

/** What stood between two points of the index: eligible USD of one wallet and of everybody. */
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

/** One interval more. A wallet has its share of the eligible value; where there is none nothing is given. */
export function accrueSeasonInterval(
  before: SeasonEarnings,
  interval: SeasonInterval,
  terms: SeasonRewardInput,
): SeasonEarnings {
  const paid = intersectRanges(interval, rewardRange(terms.reward, terms.season));
  if (isEmptyRange(paid)) return before;
  const share = divRatioOrZero(interval.walletUsd, interval.eligibleUsd);
  const perSecond = mulRatio(terms.reward.tokensPerSecond, share);
  const over = (seconds: Ratio): FixedDecimal =>
    fixedDecimalFromRatio(mulRatio(perSecond, seconds));
  const seconds = { numerator: paid.end - paid.start, denominator: 1n };
  return {
    base: addFixedDecimals(before.base, over(seconds)),
    boosted: addFixedDecimals(before.boosted, over(addRatio(seconds, boostSeconds(paid, terms)))),
  };
}

/** While a reward is paid. */
export const rewardRange = ({ from, to }: SeasonReward, season: TimeRange): TimeRange =>
  intersectRanges({ start: from, end: to }, season);

/** What staking adds for a wallet, as it says and as the season counts it. */
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

/** Seconds of a range, each times the boost that it had. */
function boostSeconds(range: TimeRange, { season, wallet }: SeasonRewardInput): Ratio {
  const turns = season.boosts
    .filter(
      (boost) => boost.wallet === wallet && range.start < boost.from && boost.from < range.end,
    )
    .map(({ from }) => from);
  const starts = [range.start, ...new Set(turns)].sort((a, b) => (a < b ? -1 : 1));
  return starts.reduce((sum: Ratio, start, i) => {
    const end = starts[i + 1] ?? range.end;
    const seconds = { numerator: end - start, denominator: 1n };
    const { effectiveStakingBoost } = boostAt(season, wallet, start);
    return addRatio(sum, mulRatio(seconds, effectiveStakingBoost));
  }, ZERO_RATIO);
}
