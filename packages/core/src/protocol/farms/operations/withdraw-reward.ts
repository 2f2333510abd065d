import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import type { FarmContext } from '../math/farm-time.ts';
import type { RewardInfo } from './farm-position.ts';
import { refreshRewards } from './refresh-farm.ts';
import { constantSchedule } from './update-farm-config.ts';

export type RewardWithdrawal = {
  readonly rewardIndex: number;
  readonly rewardMint: Address;
  /** Of which at most the rewards that are not issued are paid. */
  readonly requested: bigint;
};

/** The `withdrawReward` instruction. The schedule must be a constant rate of zero, so that nothing is promised. */
export function withdrawReward(
  farm: FarmState,
  { rewardIndex, rewardMint, requested }: RewardWithdrawal,
  context: FarmContext,
): { readonly farm: FarmState; readonly amount: Lamports } {
  if (requested === 0n) throw farmsRejection('RewardDoesNotExist', 'the amount is zero');
  const refreshed = refreshRewards(farm, context);
  const reward = refreshed.rewardInfos[rewardIndex];
  if (reward === undefined || reward.token.mint !== rewardMint) {
    throw farmsRejection('RewardDoesNotExist', `reward ${rewardIndex} has another mint`);
  }
  if (reward.rewardsAvailable === 0n) {
    throw farmsRejection('WithdrawRewardZeroAvailable', 'all rewards are issued');
  }
  if (!isUnscheduled(reward)) {
    throw farmsRejection('RewardScheduleCurveSet', 'the reward has a schedule');
  }
  const { rewardsAvailable: available } = reward;
  const amount = requested < available ? toLamports(requested) : available;
  const rewardInfos = refreshed.rewardInfos.with(rewardIndex, {
    ...reward,
    rewardsAvailable: toLamports(available - amount),
  });
  return { farm: { ...refreshed, rewardInfos }, amount };
}

function isUnscheduled({ rewardScheduleCurve }: RewardInfo): boolean {
  const { points } = constantSchedule(0n);
  return rewardScheduleCurve.points.every(({ tsStart, rewardPerTimeUnit }, i) => {
    const expected = points[i];
    return tsStart === expected?.tsStart && rewardPerTimeUnit === expected.rewardPerTimeUnit;
  });
}
