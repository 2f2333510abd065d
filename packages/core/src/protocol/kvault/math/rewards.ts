import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { VaultStateView } from '../layout/vault-state.ts';

type RewardInfo = Pick<
  VaultStateView['rewardInfo'],
  'rewardPerSecond' | 'rewardsAvailable' | 'lastIssuanceTs'
>;

/** Whether the rate and the remaining rewards are above zero. */
export const hasActiveRewards = (info: RewardInfo): boolean =>
  info.rewardPerSecond > 0n && info.rewardsAvailable > 0n;

/** The rewards since the last issuance, at most the remaining ones. Zero before the first issuance. */
export function issuedRewards(info: RewardInfo, now: UnixSeconds): Lamports {
  const started = hasActiveRewards(info) && info.lastIssuanceTs > 0n;
  if (!started || now <= info.lastIssuanceTs) return toLamports(0n);
  const earned = info.rewardPerSecond * (now - info.lastIssuanceTs);
  return earned < info.rewardsAvailable ? toLamports(earned) : info.rewardsAvailable;
}
