import type { Address, UnixSeconds } from '@tidegate/core/base';
import {
  averageRates,
  combineWalletRewards,
  type WalletReward,
  type WalletRewardAverages,
} from '@tidegate/core/views/rewards';
import type { Static } from 'typebox';
import { formatIsoInstant, formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import { rewardReservesJson } from '../reward-reserves-json.ts';
import type { EligibleLendingReward } from '../season-eligibility-cache.ts';
import type { WalletRewardEntry } from '../wallet-season-rewards.ts';
import type { UserLendingRewards, UserVaultReward } from './schema.ts';

export function userLendingRewardsJson(
  entries: readonly WalletRewardEntry<EligibleLendingReward>[],
  at: UnixSeconds,
): Static<typeof UserLendingRewards> {
  return {
    ...averagesJson(averageRates(entries.map(({ reward }) => reward))),
    rewards: entries.map(({ group: { target, market, rewardToken }, reward }) => ({
      ...rewardReservesJson(target),
      market,
      ...rewardJson(rewardToken, reward, at),
    })),
  };
}

/** One entry per token, over all vaults. */
export function userVaultRewardsJson(
  entries: readonly WalletRewardEntry[],
  at: UnixSeconds,
): Static<typeof UserVaultReward>[] {
  const averages = averagesJson(averageRates(entries.map(({ reward }) => reward)));
  const rewardsByToken = new Map<Address, [WalletReward, ...WalletReward[]]>();
  for (const { group, reward } of entries) {
    const rewards = rewardsByToken.get(group.rewardToken);
    if (rewards === undefined) rewardsByToken.set(group.rewardToken, [reward]);
    else rewards.push(reward);
  }
  return [...rewardsByToken]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([token, rewards]) => ({
      ...averages,
      ...rewardJson(token, combineWalletRewards(rewards), at),
    }));
}

const averagesJson = ({ avgBaseApy, avgBoostedApy, avgMaxApy }: WalletRewardAverages) => ({
  avgBaseApy: formatLiveRatio(avgBaseApy),
  avgBoostedApy: formatLiveRatio(avgBoostedApy),
  avgMaxApy: formatLiveRatio(avgMaxApy),
});

const rewardJson = (rewardMint: Address, reward: WalletReward, at: UnixSeconds) => ({
  rewardMint,
  lastCalculated: formatIsoInstant(at),
  tokensEarned: formatLiveRatio(reward.tokensEarned),
  tokensPerSecond: formatLiveRatio(reward.tokensPerSecond),
  stakingBoost: formatLiveRatio(reward.stakingBoost),
  effectiveStakingBoost: formatLiveRatio(reward.effectiveStakingBoost),
  baseApy: formatLiveRatio(reward.baseApy),
  boostedApy: formatLiveRatio(reward.boostedApy),
  maxApy: formatLiveRatio(reward.maxApy),
  usdAmount: formatLiveRatio(reward.usdAmount),
  usdAmountBoosted: formatLiveRatio(reward.usdAmountBoosted),
});
