import { toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { type RewardPayout, rewardAt, splitPayout } from '../math/user-reward.ts';
import type { FarmPosition } from './farm-position.ts';
import { refreshRewards } from './refresh-farm.ts';
import { withNewReward } from './refresh-user-state.ts';

export type HarvestRequest = {
  readonly rewardIndex: number;
  /** Of the farms program's global config. */
  readonly treasuryFeeBps: bigint;
};

/** The instruction of that name: one reward is counted to date and paid out of its vault. */
export function harvestReward(
  position: FarmPosition,
  { rewardIndex, treasuryFeeBps }: HarvestRequest,
  moment: FarmContext,
): FarmPosition & { readonly payout: RewardPayout } {
  rewardAt(position.farm, rewardIndex);
  const farm = refreshRewards(position.farm, moment);
  const user = withNewReward({ farm, user: position.user }, rewardIndex);
  const now = farmTime(farm, moment.at);
  checkClaimTime({ farm, user }, rewardIndex, now);
  const reward = user.rewardsIssuedUnclaimed[rewardIndex] ?? toLamports(0n);
  const paid = splitPayout(reward, treasuryFeeBps);
  if (reward === 0n) return { farm, user, payout: paid };
  return {
    farm: withoutUnclaimed(farm, rewardIndex, reward),
    user: {
      ...user,
      rewardsIssuedUnclaimed: user.rewardsIssuedUnclaimed.with(rewardIndex, toLamports(0n)),
      lastClaimTs: user.lastClaimTs.with(rewardIndex, now),
    },
    payout: paid,
  };
}

function checkClaimTime({ farm, user }: FarmPosition, index: number, now: bigint): void {
  const sinceClaim = now - (user.lastClaimTs[index] ?? 0n);
  if (sinceClaim < 0n) throw farmsRejection('IntegerOverflow', 'the last claim is in the future');
  const { minClaimDurationSeconds } = rewardAt(farm, index);
  if (sinceClaim >= minClaimDurationSeconds) return;
  const reason = `the last claim was ${sinceClaim} ago, ${minClaimDurationSeconds} must pass`;
  throw farmsRejection('MinClaimDurationNotReached', reason);
}

function withoutUnclaimed(farm: FarmState, index: number, paid: bigint): FarmState {
  const rewardInfos = farm.rewardInfos.map((reward, i) => {
    if (i !== index) return reward;
    const left = reward.rewardsIssuedUnclaimed - paid;
    if (left < 0n) throw farmsRejection('IntegerOverflow', 'more is claimed than was issued');
    return { ...reward, rewardsIssuedUnclaimed: toLamports(left) };
  });
  return { ...farm, rewardInfos };
}
