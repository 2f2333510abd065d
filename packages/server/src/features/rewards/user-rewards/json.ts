import type { Address, UnixSeconds } from '@tidegate/core/base';
import {
  meanRates,
  togetherOf,
  type WalletReward,
  type WalletRewardMeans,
} from '@tidegate/core/views/rewards';
import type { Static } from 'typebox';
import { isoInstant, liveText } from '../../decimal-format/live-decimals.ts';
import { sidesJson } from '../reward-reserves-json.ts';
import type { UserLendingRewards, UserVaultReward } from '../reward-schemas.ts';
import type { LendingLine } from '../season-eligibility-cache.ts';
import type { LineOfWallet } from '../wallet-season-rewards.ts';

export function lendingRewardsJson(
  lines: readonly LineOfWallet<LendingLine>[],
  at: UnixSeconds,
): Static<typeof UserLendingRewards> {
  return {
    ...meansJson(meanRates(lines.map(({ reward }) => reward))),
    rewards: lines.map(({ line: { sides, market, rewardToken }, reward }) => ({
      ...{ ...sidesJson(sides), market },
      ...figuresJson(rewardToken, reward, at),
    })),
  };
}

/** One for each token, whichever vaults it is given for. */
export function vaultRewardsJson(
  lines: readonly LineOfWallet[],
  at: UnixSeconds,
): Static<typeof UserVaultReward>[] {
  const means = meansJson(meanRates(lines.map(({ reward }) => reward)));
  const byToken = new Map<Address, [WalletReward, ...WalletReward[]]>();
  for (const { line, reward } of lines) {
    const known = byToken.get(line.rewardToken);
    if (known === undefined) byToken.set(line.rewardToken, [reward]);
    else known.push(reward);
  }
  return [...byToken]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([token, rewards]) => ({ ...means, ...figuresJson(token, togetherOf(rewards), at) }));
}

const meansJson = ({ avgBaseApy, avgBoostedApy, avgMaxApy }: WalletRewardMeans) => ({
  avgBaseApy: liveText(avgBaseApy),
  avgBoostedApy: liveText(avgBoostedApy),
  avgMaxApy: liveText(avgMaxApy),
});

const figuresJson = (rewardMint: Address, reward: WalletReward, at: UnixSeconds) => ({
  rewardMint,
  lastCalculated: isoInstant(at),
  tokensEarned: liveText(reward.tokensEarned),
  tokensPerSecond: liveText(reward.tokensPerSecond),
  stakingBoost: liveText(reward.stakingBoost),
  effectiveStakingBoost: liveText(reward.effectiveStakingBoost),
  baseApy: liveText(reward.baseApy),
  boostedApy: liveText(reward.boostedApy),
  maxApy: liveText(reward.maxApy),
  usdAmount: liveText(reward.usdAmount),
  usdAmountBoosted: liveText(reward.usdAmountBoosted),
});
