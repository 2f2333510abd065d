import type { Decoded } from '../../../base/encoding/layout.ts';
import type { FarmState, rewardInfo } from '../layout/farm-state.ts';
import type { UserState } from '../layout/user-state.ts';

/** A farm and one of its users. Most operations write both accounts. */
export type FarmPosition = { readonly farm: FarmState; readonly user: UserState };

export type RewardInfo = Decoded<typeof rewardInfo>;

/** Updates the used rewards of the farm. Unused entries stay unchanged. */
export function updateRewards(
  farm: FarmState,
  change: (reward: RewardInfo) => RewardInfo,
): FarmState {
  const rewardInfos = farm.rewardInfos.map((reward, i) =>
    BigInt(i) < farm.numRewardTokens ? change(reward) : reward,
  );
  return { ...farm, rewardInfos };
}

/** Updates the user's tallies of the used rewards. */
export function updateTallies(
  { farm, user }: FarmPosition,
  change: (tally: bigint, rewardPerShareScaled: bigint) => bigint,
): UserState {
  const rewardsTallyScaled = user.rewardsTallyScaled.map((tally, i) => {
    const reward = BigInt(i) < farm.numRewardTokens ? farm.rewardInfos[i] : undefined;
    return reward === undefined ? tally : change(tally, reward.rewardPerShareScaled);
  });
  return { ...user, rewardsTallyScaled };
}
