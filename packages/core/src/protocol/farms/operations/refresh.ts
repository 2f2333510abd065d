import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Decoded } from '../../../base/encoding/layout.ts';
import { checkStoredWad, mulWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { TOKEN_PROGRAM } from '../../spl/programs.ts';
import type { FarmState, rewardInfo } from '../layout/farm-state.ts';
import type { UserState } from '../layout/user-state.ts';
import { type FarmContext, farmTime, isDelegated, issueReward } from '../math/issuance.ts';
import { amountOfShares, type StakeSharePool, sharesOfAmount } from '../math/stake-shares.ts';
import { newlyEarnedReward, rewardAt } from '../math/user-reward.ts';

type StakeMove = FarmPosition & { readonly amount: Lamports };

/** Converts tokens to shares. The tallies are set so that the new shares have earned nothing yet. */
export function addActiveStake({ farm, user }: FarmPosition, amount: bigint): FarmPosition {
  const gained = sharesOfAmount(activePool(farm), amount);
  const after = {
    farm: withActive(farm, gained, amount),
    user: { ...user, activeStakeScaled: checkStoredWad(user.activeStakeScaled + gained) },
  };
  const tallied = updateTallies(after, (tally, rewardPerShareScaled) =>
    checkStoredWad(tally + mulWad(gained, rewardPerShareScaled)),
  );
  return { ...after, user: tallied };
}

export function removeActiveStake({ farm, user }: FarmPosition, shares: bigint): StakeMove {
  const amount = amountOfShares(activePool(farm), shares);
  return {
    farm: withActive(farm, -shares, -amount),
    user: { ...user, activeStakeScaled: checkStoredWad(user.activeStakeScaled - shares) },
    amount,
  };
}

export function addPendingDeposit({ farm, user }: FarmPosition, amount: bigint): FarmPosition {
  const gained = sharesOfAmount(pendingPool(farm), amount);
  const pendingDepositStakeScaled = checkStoredWad(user.pendingDepositStakeScaled + gained);
  return {
    farm: withPending(farm, gained, amount),
    user: { ...user, pendingDepositStakeScaled },
  };
}

export function activatePendingDeposit({ farm, user }: FarmPosition): FarmPosition {
  const shares = user.pendingDepositStakeScaled;
  const amount = amountOfShares(pendingPool(farm), shares);
  const removed = {
    farm: withPending(farm, -shares, -amount),
    user: { ...user, pendingDepositStakeScaled: 0n },
  };
  return addActiveStake(removed, amount);
}

export function addPendingWithdrawal({ farm, user }: FarmPosition, amount: bigint): FarmPosition {
  const gained = sharesOfAmount(pendingPool(farm), amount);
  const unstake = checkStoredWad(user.pendingWithdrawalUnstakeScaled + gained);
  return {
    farm: withPending(farm, gained, amount),
    user: { ...user, pendingWithdrawalUnstakeScaled: unstake },
  };
}

export function removePendingWithdrawal({ farm, user }: FarmPosition): StakeMove {
  const shares = user.pendingWithdrawalUnstakeScaled;
  const amount = amountOfShares(pendingPool(farm), shares);
  return {
    farm: withPending(farm, -shares, -amount),
    user: { ...user, pendingWithdrawalUnstakeScaled: 0n },
    amount,
  };
}

const activePool = (farm: FarmState): StakeSharePool => ({
  sharesScaled: farm.totalActiveStakeScaled,
  amount: farm.totalStakedAmount,
});

/** Deposits in warmup and withdrawals in cooldown share one pool. */
const pendingPool = (farm: FarmState): StakeSharePool => ({
  sharesScaled: farm.totalPendingStakeScaled,
  amount: farm.totalPendingAmount,
});

const withActive = (farm: FarmState, shares: bigint, amount: bigint): FarmState => ({
  ...farm,
  totalActiveStakeScaled: checkStoredWad(farm.totalActiveStakeScaled + shares),
  totalStakedAmount: toLamports(farm.totalStakedAmount + amount),
});

const withPending = (farm: FarmState, shares: bigint, amount: bigint): FarmState => ({
  ...farm,
  totalPendingStakeScaled: checkStoredWad(farm.totalPendingStakeScaled + shares),
  totalPendingAmount: toLamports(farm.totalPendingAmount + amount),
});

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

/** The `refreshFarm` instruction. It also fixes two fields that are wrong in old delegated farms. */
export function refreshFarm(farm: FarmState, context: FarmContext): FarmState {
  const delegated = isDelegated(farm);
  const hasNoToken = delegated && farm.token.tokenProgram === TOKEN_PROGRAM;
  const token = hasNoToken ? { ...farm.token, tokenProgram: ZERO_ADDRESS } : farm.token;
  return refreshRewards({ ...farm, isFarmDelegated: delegated ? 1 : 0, token }, context);
}

/** Issues all rewards of the farm. Every stake operation starts with this. */
export const refreshRewards = (farm: FarmState, context: FarmContext): FarmState =>
  updateRewards(farm, (reward) => ({ ...reward, ...issueReward(farm, reward, context) }));

/** The time before the first stake earns nothing. */
export function skipUnstakedTime(farm: FarmState, context: FarmContext): FarmState {
  if (farm.totalStakedAmount !== 0n) return farm;
  const lastIssuanceTs = farmTime(farm, context.at);
  return updateRewards(farm, (reward) => ({ ...reward, lastIssuanceTs }));
}

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
