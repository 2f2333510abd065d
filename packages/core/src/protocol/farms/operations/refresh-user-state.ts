import { checkStoredWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import type { UserState } from '../layout/user-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import { newlyEarnedReward, rewardAt } from '../math/user-reward.ts';
import type { FarmPosition } from './farm-position.ts';
import { refreshRewards, skipUnstakedTime } from './refresh-farm.ts';
import { activatePendingDeposit } from './stake-accounting.ts';

/** The instruction of that name: rewards to date, and a deposit whose warm-up is over starts to earn. */
export function refreshUserState(position: FarmPosition, moment: FarmContext): FarmPosition {
  const { farm, user } = refreshUserRewards(position, moment);
  const delegated = isDelegated(farm);
  const refreshed = { farm, user: { ...user, isFarmDelegated: delegated ? 1 : 0 } };
  return delegated ? refreshed : refreshStake(refreshed, moment);
}

/** The farm's rewards and then all of the user's brought to a moment. Who has no stake is left out. */
export function refreshUserRewards(position: FarmPosition, moment: FarmContext): FarmPosition {
  const farm = refreshRewards(position.farm, moment);
  let { user } = position;
  if (user.activeStakeScaled === 0n) return { farm, user };
  for (let i = 0; BigInt(i) < farm.numRewardTokens; i++) user = withNewReward({ farm, user }, i);
  return { farm, user };
}

/** The user with one reward counted up to what the farm has issued. */
export function withNewReward({ farm, user }: FarmPosition, index: number): UserState {
  const { rewardPerShareScaled } = rewardAt(farm, index);
  const reward = newlyEarnedReward({ farm, user }, index, rewardPerShareScaled);
  const tally = checkStoredWad((user.rewardsTallyScaled[index] ?? 0n) + reward * WAD);
  const unclaimed = toLamports((user.rewardsIssuedUnclaimed[index] ?? 0n) + reward);
  const cumulative = (user.rewardsIssuedCumulative[index] ?? 0n) + reward;
  return {
    ...user,
    rewardsTallyScaled: user.rewardsTallyScaled.with(index, tally),
    rewardsIssuedUnclaimed: user.rewardsIssuedUnclaimed.with(index, unclaimed),
    rewardsIssuedCumulative: user.rewardsIssuedCumulative.with(
      index,
      toLamports(cumulative > U64_MAX ? U64_MAX : cumulative),
    ),
  };
}

export function refreshStake(position: FarmPosition, moment: FarmContext): FarmPosition {
  const farm = skipUnstakedTime(position.farm, moment);
  const { user } = position;
  const isDue = farmTime(farm, moment.at) >= user.pendingDepositStakeTs;
  const hasPending = user.pendingDepositStakeScaled > 0n;
  return hasPending && isDue ? activatePendingDeposit({ farm, user }) : { farm, user };
}
