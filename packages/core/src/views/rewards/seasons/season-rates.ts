import type { Address } from '../../../base/encoding/address.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { fixedDecimalToRatio } from '../../../base/numbers/fixed-decimal.ts';
import { addRatio, divRatioOrZero, mulRatio, sumRatios } from '../../../base/numbers/ratio.ts';
import { addSf, type Sf, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { rewardApr } from '../../../protocol/farms/math/reward-rate.ts';
import type { LoanPosition } from '../../lending/obligation-positions.ts';
import {
  boostAt,
  type EffectiveBoost,
  rewardRange,
  type Season,
  type SeasonEarnings,
  type SeasonReward,
} from './season.ts';

/** The current rate of a reward for all eligible positions, as a simple yearly rate. */
export type SeasonRate = {
  readonly tokensPerSecond: Ratio;
  readonly eligibleUsd: Ratio;
  readonly apy: Ratio;
};

export type SeasonRateInput = {
  readonly season: Pick<Season, 'start' | 'end'>;
  readonly at: UnixSeconds;
  /** USD per whole reward token; zero if unknown. */
  readonly rewardPrice: Ratio;
  readonly eligibleUsd: Ratio;
};

/**
 * Rewards of one token for the same positions. Zero outside of the time of the reward and the
 * season.
 */
export function viewSeasonRate(
  rewards: readonly SeasonReward[],
  input: SeasonRateInput,
): SeasonRate {
  const { season, at, rewardPrice, eligibleUsd } = input;
  const paid = rewards.filter((reward) => {
    const { start, end } = rewardRange(reward, season);
    return start <= at && at < end;
  });
  const tokensPerSecond = sumRatios(paid.map((reward) => reward.tokensPerSecond));
  const apy = rewardApr(tokensPerSecond, { rewardPrice, stakedValue: eligibleUsd });
  return { tokensPerSecond, eligibleUsd, apy };
}

/**
 * A wallet's reward in one token for one target. Whole tokens without the boost; USD at the current
 * price.
 */
export type WalletReward = EffectiveBoost & {
  readonly tokensEarned: Ratio;
  readonly tokensPerSecond: Ratio;
  readonly walletUsd: Ratio;
  readonly baseApy: Ratio;
  readonly boostedApy: Ratio;
  readonly maxApy: Ratio;
  readonly usdAmount: Ratio;
  readonly usdAmountBoosted: Ratio;
};

export type WalletRewardInput = {
  readonly wallet: Address;
  readonly walletUsd: Ratio;
  readonly earned: SeasonEarnings;
};

export function viewWalletReward(
  rewards: readonly SeasonReward[],
  input: SeasonRateInput & { readonly season: Season },
  { wallet, walletUsd, earned }: WalletRewardInput,
): WalletReward {
  const { season, at, rewardPrice, eligibleUsd } = input;
  const { apy, tokensPerSecond } = viewSeasonRate(rewards, input);
  const boost = boostAt(season, wallet, at);
  const tokensEarned = fixedDecimalToRatio(earned.base);
  return {
    ...boost,
    tokensEarned,
    tokensPerSecond: mulRatio(tokensPerSecond, divRatioOrZero(walletUsd, eligibleUsd)),
    walletUsd,
    baseApy: apy,
    boostedApy: applyBoost(apy, boost.effectiveStakingBoost),
    maxApy: applyBoost(apy, season.maxBoost),
    usdAmount: mulRatio(tokensEarned, rewardPrice),
    usdAmountBoosted: mulRatio(fixedDecimalToRatio(earned.boosted), rewardPrice),
  };
}

export type WalletRewardAverages = {
  readonly avgBaseApy: Ratio;
  readonly avgBoostedApy: Ratio;
  readonly avgMaxApy: Ratio;
};

/** Averages weighted by the value of the wallet's positions; zero without positions. */
export function averageRates(rewards: readonly WalletReward[]): WalletRewardAverages {
  const total = sumRatios(rewards.map(({ walletUsd }) => walletUsd));
  const mean = (pick: (reward: WalletReward) => Ratio): Ratio => {
    const parts = rewards.map((reward) => mulRatio(reward.walletUsd, pick(reward)));
    return divRatioOrZero(sumRatios(parts), total);
  };
  return {
    avgBaseApy: mean(({ baseApy }) => baseApy),
    avgBoostedApy: mean(({ boostedApy }) => boostedApy),
    avgMaxApy: mean(({ maxApy }) => maxApy),
  };
}

/** Combines a wallet's rewards in one token: sums, and averaged rates. */
export function combineWalletRewards(
  rewards: readonly [WalletReward, ...(readonly WalletReward[])],
): WalletReward {
  const sum = (pick: (reward: WalletReward) => Ratio): Ratio => sumRatios(rewards.map(pick));
  const { avgBaseApy, avgBoostedApy, avgMaxApy } = averageRates(rewards);
  return {
    ...rewards[0],
    tokensEarned: sum(({ tokensEarned }) => tokensEarned),
    tokensPerSecond: sum(({ tokensPerSecond }) => tokensPerSecond),
    walletUsd: sum(({ walletUsd }) => walletUsd),
    baseApy: avgBaseApy,
    boostedApy: avgBoostedApy,
    maxApy: avgMaxApy,
    usdAmount: sum(({ usdAmount }) => usdAmount),
    usdAmountBoosted: sum(({ usdAmountBoosted }) => usdAmountBoosted),
  };
}

type RewardedPosition = {
  readonly reserve: Pick<LoanPosition['reserve'], 'address'>;
  readonly value: Sf;
};

/** A loan with its positions at a time. */
export type EligibleLoan = {
  readonly deposits: readonly RewardedPosition[];
  readonly borrows: readonly RewardedPosition[];
};

/**
 * The eligible USD of a loan: the target's deposit or debt; with both, the deposit if the debt
 * exists.
 */
export function eligibleUsdOfLoan(
  { deposits, borrows }: EligibleLoan,
  { depositReserve, borrowReserve }: Pick<SeasonReward, 'depositReserve' | 'borrowReserve'>,
): Sf {
  const debt = valueIn(borrows, borrowReserve);
  if (depositReserve === undefined) return debt;
  if (borrowReserve !== undefined && debt === 0n) return ZERO_SF;
  return valueIn(deposits, depositReserve);
}

const valueIn = (positions: EligibleLoan['deposits'], address: Address | undefined): Sf =>
  positions.reduce(
    (sum, { reserve, value }) => (reserve.address === address ? addSf(sum, value) : sum),
    ZERO_SF,
  );

const ONE: Ratio = { numerator: 1n, denominator: 1n };

const applyBoost = (apy: Ratio, boost: Ratio): Ratio => mulRatio(apy, addRatio(ONE, boost));
