import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { VaultStateView } from '../layout/vault-state.ts';

type RewardInfo = Pick<
  VaultStateView['rewardInfo'],
  'rewardPerSecond' | 'rewardsAvailable' | 'lastIssuanceTs'
>;

/** Rewards run: there is a rate and something left to give. */
export const hasActiveRewards = (info: RewardInfo): boolean =>
  info.rewardPerSecond > 0n && info.rewardsAvailable > 0n;

/** What has been earned since the last issuance, at most what is left; nothing before the first. */
export function issuedRewards(info: RewardInfo, now: UnixSeconds): Lamports {
  const started = hasActiveRewards(info) && info.lastIssuanceTs > 0n;
  if (!started || now <= info.lastIssuanceTs) return toLamports(0n);
  const earned = info.rewardPerSecond * (now - info.lastIssuanceTs);
  return earned < info.rewardsAvailable ? toLamports(earned) : info.rewardsAvailable;
}
