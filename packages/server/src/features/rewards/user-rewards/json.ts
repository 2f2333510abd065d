import type { Address, UnixSeconds } from '@tidegate/core/base';
import {
  averageRates,
  combineWalletRewards,
  type WalletReward,
  type WalletRewardAverages,
} from '@tidegate/core/views/rewards';
import type { Static } from 'typebox';
import { formatIsoInstant, formatLiveRatio } from '../../decimal-format/live-decimals.ts';
import { rewardReservesJson } from '../reward-reserves-json.ts';
import type { UserLendingRewards, UserVaultReward } from '../reward-schemas.ts';
import type { EligibleLendingReward } from '../season-eligibility-cache.ts';
import type { WalletRewardEntry } from '../wallet-season-rewards.ts';

export function userLendingRewardsJson(
  lines: readonly WalletRewardEntry<EligibleLendingReward>[],
  at: UnixSeconds,
): Static<typeof UserLendingRewards> {
  return {
    ...meansJson(averageRates(lines.map(({ reward }) => reward))),
    rewards: lines.map(({ line: { sides, market, rewardToken }, reward }) => ({
      ...{ ...rewardReservesJson(sides), market },
      ...figuresJson(rewardToken, reward, at),
    })),
  };
}

/** One for each token, whichever vaults it is given for. */
export function userVaultRewardsJson(
  lines: readonly WalletRewardEntry[],
  at: UnixSeconds,
): Static<typeof UserVaultReward>[] {
  const means = meansJson(averageRates(lines.map(({ reward }) => reward)));
  const byToken = new Map<Address, [WalletReward, ...WalletReward[]]>();
  for (const { line, reward } of lines) {
    const known = byToken.get(line.rewardToken);
    if (known === undefined) byToken.set(line.rewardToken, [reward]);
    else known.push(reward);
  }
  return [...byToken]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([token, rewards]) => ({
      ...means,
      ...figuresJson(token, combineWalletRewards(rewards), at),
    }));
}

const meansJson = ({ avgBaseApy, avgBoostedApy, avgMaxApy }: WalletRewardAverages) => ({
  avgBaseApy: formatLiveRatio(avgBaseApy),
  avgBoostedApy: formatLiveRatio(avgBoostedApy),
  avgMaxApy: formatLiveRatio(avgMaxApy),
});

const figuresJson = (rewardMint: Address, reward: WalletReward, at: UnixSeconds) => ({
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
