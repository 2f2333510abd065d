import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime, timeFigures } from '../math/issuance.ts';
import { type RewardPayout, rewardAt, splitPayout } from '../math/user-reward.ts';
import type { FarmsRules } from '../releases.ts';
import { constantSchedule } from './config-updates.ts';
import { type FarmPosition, type RewardInfo, refreshRewards, withNewReward } from './refresh.ts';

export type OneTimeReward = {
  readonly rewardIndex: number;
  readonly amount: bigint;
  readonly expectedRewards: bigint;
  /** Only releases that compare it have the argument. */
  readonly userStateId?: bigint | undefined;
};

/** The `rewardUserOnce` instruction. The reward is not taken from the available ones: the vault must cover it. */
export function rewardUserOnce(
  { farm, user }: FarmPosition,
  given: OneTimeReward,
  rules: FarmsRules,
): FarmPosition {
  const { rewardIndex: index, amount } = given;
  if (farm.isRewardUserOnceEnabled !== 1) {
    throw farmsRejection('RewardUserOnceFeatureDisabled', 'the farm has no one-time rewards');
  }
  const reward = farm.rewardInfos[index];
  const unclaimed = user.rewardsIssuedUnclaimed[index];
  const cumulative = user.rewardsIssuedCumulative[index];
  if (reward === undefined || unclaimed === undefined || cumulative === undefined) {
    throw farmsRejection('RewardIndexOutOfRange', `there is no reward ${index}`);
  }
  checkExpectation(given, { id: user.userId, unclaimed, cumulative }, rules);
  return {
    farm: {
      ...farm,
      rewardInfos: farm.rewardInfos.with(index, {
        ...reward,
        rewardsIssuedUnclaimed: toLamports(reward.rewardsIssuedUnclaimed + amount),
        rewardsIssuedCumulative: addSaturating(reward.rewardsIssuedCumulative, amount),
      }),
    },
    user: {
      ...user,
      rewardsIssuedUnclaimed: user.rewardsIssuedUnclaimed.with(
        index,
        toLamports(unclaimed + amount),
      ),
      rewardsIssuedCumulative: user.rewardsIssuedCumulative.with(
        index,
        addSaturating(cumulative, amount),
      ),
    },
  };
}

type UserRewards = {
  readonly id: bigint;
  readonly unclaimed: bigint;
  readonly cumulative: bigint;
};

/** Keeps a repeated transaction from paying twice. */
function checkExpectation(
  { expectedRewards, userStateId }: OneTimeReward,
  { id, unclaimed, cumulative }: UserRewards,
  { oneTimeReward }: FarmsRules,
): void {
  const actual = oneTimeReward === 'unclaimed' ? unclaimed : cumulative;
  if (expectedRewards !== actual) {
    const reason = `the user has rewards of ${actual}, not ${expectedRewards}`;
    throw farmsRejection('RewardsIssuedCumulativeMismatch', reason);
  }
  if (oneTimeReward === 'unclaimed') return;
  if (userStateId !== id) {
    throw farmsRejection('UserStateIdMismatch', `the id of the user state is ${id}`);
  }
  if (cumulative === U64_MAX) {
    throw farmsRejection('RewardsIssuedCumulativeAtMax', 'the cumulative rewards are at the limit');
  }
}

const addSaturating = (a: bigint, b: bigint) => toLamports(a + b < U64_MAX ? a + b : U64_MAX);

export type RewardTopUp = {
  readonly rewardIndex: number;
  readonly rewardMint: Address;
  readonly amount: bigint;
};

/** The `addRewards` instruction. `amount` moves from the payer's token account to the reward vault. */
export function addRewards(farm: FarmState, topUp: RewardTopUp, context: FarmContext): FarmState {
  const { rewardIndex, rewardMint, amount } = topUp;
  const refreshed = refreshRewards(farm, context);
  const reward = refreshed.rewardInfos[rewardIndex];
  if (reward === undefined || reward.token.mint !== rewardMint) {
    throw farmsRejection('RewardDoesNotExist', `reward ${rewardIndex} has another mint`);
  }
  const available = reward.rewardsAvailable + amount;
  if (available > U64_MAX)
    throw farmsRejection('IntegerOverflow', 'the available rewards exceed 64 bits');
  const rewardInfos = refreshed.rewardInfos.with(rewardIndex, {
    ...reward,
    rewardsAvailable: toLamports(available),
  });
  return { ...refreshed, rewardInfos };
}

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
