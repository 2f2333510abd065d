import { checkStoredWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import type { UserState } from '../layout/user-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import { newlyEarnedReward, rewardAt } from '../math/user-reward.ts';
import type { FarmPosition } from './farm-position.ts';
import { refreshRewards, skipUnstakedTime } from './refresh-farm.ts';
import { activatePendingDeposit } from './stake-accounting.ts';

/** The `refreshUserState` instruction: credits rewards and activates a deposit after its warmup. */
export function refreshUserState(position: FarmPosition, context: FarmContext): FarmPosition {
  const { farm, user } = refreshUserRewards(position, context);
  const delegated = isDelegated(farm);
  const refreshed = { farm, user: { ...user, isFarmDelegated: delegated ? 1 : 0 } };
  return delegated ? refreshed : refreshStake(refreshed, context);
}

/** Issues the farm's rewards and credits the user's. Skips a user without stake. */
export function refreshUserRewards(position: FarmPosition, context: FarmContext): FarmPosition {
  const farm = refreshRewards(position.farm, context);
  let { user } = position;
  if (user.activeStakeScaled === 0n) return { farm, user };
  for (let i = 0; BigInt(i) < farm.numRewardTokens; i++) user = withNewReward({ farm, user }, i);
  return { farm, user };
}

/** Credits one reward up to what the farm has issued. */
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

export function refreshStake(position: FarmPosition, context: FarmContext): FarmPosition {
  const farm = skipUnstakedTime(position.farm, context);
  const { user } = position;
  const isDue = farmTime(farm, context.at) >= user.pendingDepositStakeTs;
  const hasPending = user.pendingDepositStakeScaled > 0n;
  return hasPending && isDue ? activatePendingDeposit({ farm, user }) : { farm, user };
}
