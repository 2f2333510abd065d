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

/** What a reward gives now: to all eligible positions, as a simple yearly rate of their value. */
export type SeasonRate = {
  readonly tokensPerSecond: Ratio;
  readonly eligibleUsd: Ratio;
  readonly apy: Ratio;
};

export type SeasonRateInput = {
  readonly season: Pick<Season, 'start' | 'end'>;
  readonly at: UnixSeconds;
  /** USD for a whole reward token; zero where there is none. */
  readonly rewardPrice: Ratio;
  readonly eligibleUsd: Ratio;
};

/** Rewards of one token for the same positions. Nothing before and after a reward's own time and the season's. */
export function viewSeasonRate(
  rewards: readonly SeasonReward[],
  terms: SeasonRateInput,
): SeasonRate {
  const { season, at, rewardPrice, eligibleUsd } = terms;
  const paid = rewards.filter((reward) => {
    const { start, end } = rewardRange(reward, season);
    return start <= at && at < end;
  });
  const tokensPerSecond = sumRatios(paid.map((reward) => reward.tokensPerSecond));
  const apy = rewardApr(tokensPerSecond, { rewardPrice, stakedValue: eligibleUsd });
  return { tokensPerSecond, eligibleUsd, apy };
}

/** One token for one kind of position, as one wallet has it. Tokens are whole, without the boost; values are USD at the price of now. */
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
  terms: SeasonRateInput & { readonly season: Season },
  { wallet, walletUsd, earned }: WalletRewardInput,
): WalletReward {
  const { season, at, rewardPrice, eligibleUsd } = terms;
  const { apy, tokensPerSecond } = viewSeasonRate(rewards, terms);
  const boost = boostAt(season, wallet, at);
  const tokensEarned = fixedDecimalToRatio(earned.base);
  return {
    ...boost,
    tokensEarned,
    tokensPerSecond: mulRatio(tokensPerSecond, divRatioOrZero(walletUsd, eligibleUsd)),
    walletUsd,
    baseApy: apy,
    boostedApy: raised(apy, boost.effectiveStakingBoost),
    maxApy: raised(apy, season.maxBoost),
    usdAmount: mulRatio(tokensEarned, rewardPrice),
    usdAmountBoosted: mulRatio(fixedDecimalToRatio(earned.boosted), rewardPrice),
  };
}

export type WalletRewardAverages = {
  readonly avgBaseApy: Ratio;
  readonly avgBoostedApy: Ratio;
  readonly avgMaxApy: Ratio;
};

/** Means by the value of the wallet's positions; zero without any. */
export function averageRates(rewards: readonly WalletReward[]): WalletRewardAverages {
  const total = sumRatios(rewards.map(({ walletUsd }) => walletUsd));
  const mean = (of: (reward: WalletReward) => Ratio): Ratio => {
    const parts = rewards.map((reward) => mulRatio(reward.walletUsd, of(reward)));
    return divRatioOrZero(sumRatios(parts), total);
  };
  return {
    avgBaseApy: mean(({ baseApy }) => baseApy),
    avgBoostedApy: mean(({ boostedApy }) => boostedApy),
    avgMaxApy: mean(({ maxApy }) => maxApy),
  };
}

/** Several that one wallet has of one token: what they give together, at the mean of their rates. */
export function combineWalletRewards(
  rewards: readonly [WalletReward, ...(readonly WalletReward[])],
): WalletReward {
  const sum = (of: (reward: WalletReward) => Ratio): Ratio => sumRatios(rewards.map(of));
  const { avgBaseApy, avgBoostedApy, avgMaxApy } = averageRates(rewards);
  return {
    ...rewards[0],
    tokensEarned: sum(({ tokensEarned }) => tokensEarned),
    tokensPerSecond: sum(({ tokensPerSecond }) => tokensPerSecond),
    walletUsd: sum(({ walletUsd }) => walletUsd),
    ...{ baseApy: avgBaseApy, boostedApy: avgBoostedApy, maxApy: avgMaxApy },
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

/** USD of a loan that a reward counts: the side that it names; of both the deposit, where there is the debt. */
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

const raised = (apy: Ratio, boost: Ratio): Ratio => mulRatio(apy, addRatio(ONE, boost));
