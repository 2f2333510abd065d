import { toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime, timeFigures } from '../math/farm-time.ts';
import { type RewardPayout, rewardAt, splitPayout } from '../math/user-reward.ts';
import type { FarmPosition } from './farm-position.ts';
import { refreshRewards } from './refresh-farm.ts';
import { withNewReward } from './refresh-user-state.ts';

export type HarvestRequest = {
  readonly rewardIndex: number;
  /** From the global config of the farms program. */
  readonly treasuryFeeBps: bigint;
};

/** The `harvestReward` instruction: credits one reward up to now and pays it from its vault. */
export function harvestReward(
  position: FarmPosition,
  { rewardIndex, treasuryFeeBps }: HarvestRequest,
  context: FarmContext,
): FarmPosition & { readonly payout: RewardPayout } {
  rewardAt(position.farm, rewardIndex);
  const farm = refreshRewards(position.farm, context);
  const user = withNewReward({ farm, user: position.user }, rewardIndex);
  const now = farmTime(farm, context.at);
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
  const reason = `the last claim was ${sinceClaim} ago, but the minimum is ${minClaimDurationSeconds}`;
  const figures = timeFigures(farm, {
    needed: minClaimDurationSeconds,
    available: sinceClaim,
    limit: minClaimDurationSeconds,
    until: now - sinceClaim + minClaimDurationSeconds,
  });
  throw farmsRejection('MinClaimDurationNotReached', reason, figures);
}

function withoutUnclaimed(farm: FarmState, index: number, paid: bigint): FarmState {
  const rewardInfos = farm.rewardInfos.map((reward, i) => {
    if (i !== index) return reward;
    const left = reward.rewardsIssuedUnclaimed - paid;
    if (left < 0n) throw farmsRejection('IntegerOverflow', 'the claim exceeds the issued rewards');
    return { ...reward, rewardsIssuedUnclaimed: toLamports(left) };
  });
  return { ...farm, rewardInfos };
}
