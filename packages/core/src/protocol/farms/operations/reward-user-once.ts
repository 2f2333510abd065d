import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmsRules } from '../farms-rules.ts';
import type { FarmPosition } from './farm-position.ts';

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
