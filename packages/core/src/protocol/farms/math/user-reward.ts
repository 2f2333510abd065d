import { checkBits, floorWad, mulWad } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import type { UserStateView } from '../layout/user-state.ts';
import type { FarmContext } from './farm-time.ts';
import { isDelegated, issueReward, type RewardInfoView } from './issuance.ts';

/** A farm and one of its users, as far as they are read. */
export type FarmPositionView = { readonly farm: FarmStateView; readonly user: UserStateView };

/** What a harvest of one reward pays out. */
export type RewardPayout = {
  readonly total: Lamports;
  readonly user: Lamports;
  readonly treasury: Lamports;
};

const FULL_BPS = 10_000n;

/** What a stake has earned since the farm began, scaled; a user's tally is the part already counted. */
function stakeValue(
  farm: Pick<FarmStateView, 'delegateAuthority'>,
  rewardPerShareScaled: bigint,
  stakeScaled: bigint,
): bigint {
  return isDelegated(farm)
    ? checkBits(rewardPerShareScaled * stakeScaled, 192, 'decimal')
    : mulWad(rewardPerShareScaled, stakeScaled);
}

/** What has come in since the tally was written, in whole lamports: the fraction stays for later. */
export function newlyEarnedReward(
  { farm, user }: FarmPositionView,
  index: number,
  rewardPerShareScaled: bigint,
): Lamports {
  const earned = stakeValue(farm, rewardPerShareScaled, user.activeStakeScaled);
  return floorWad(checkBits(earned - (user.rewardsTallyScaled.at(index) ?? 0n), 192, 'decimal'));
}

/**
 * What harvesting reward `index` at a moment would pay if its time has come (`claimableFrom`), the
 * refresh that comes with it included. The treasury's part is rounded down.
 */
export function pendingReward(
  position: FarmPositionView,
  index: number,
  { moment, treasuryFeeBps }: { readonly moment: FarmContext; readonly treasuryFeeBps: bigint },
): RewardPayout {
  const { farm, user } = position;
  const { rewardPerShareScaled } = issueReward(farm, rewardAt(farm, index), moment);
  const unclaimed = user.rewardsIssuedUnclaimed.at(index) ?? 0n;
  return splitPayout(
    unclaimed + newlyEarnedReward(position, index, rewardPerShareScaled),
    treasuryFeeBps,
  );
}

/** The first time, in the farm's unit, at which the program lets the user harvest the reward. */
export function claimableFrom({ farm, user }: FarmPositionView, index: number): bigint {
  const { minClaimDurationSeconds } = rewardAt(farm, index);
  return (user.lastClaimTs.at(index) ?? 0n) + minClaimDurationSeconds;
}

export function splitPayout(reward: bigint, treasuryFeeBps: bigint): RewardPayout {
  const treasury = (reward * treasuryFeeBps) / FULL_BPS;
  return {
    total: toLamports(reward),
    user: toLamports(reward - treasury),
    treasury: toLamports(treasury),
  };
}

/** Only the first `numRewardTokens` of the ten are in use. */
export function rewardAt(farm: FarmStateView, index: number): RewardInfoView {
  const reward = BigInt(index) < farm.numRewardTokens ? farm.rewardInfos.at(index) : undefined;
  if (reward === undefined) {
    const reason = `there is no reward ${index} among ${farm.numRewardTokens}`;
    throw farmsRejection('RewardIndexOutOfRange', reason);
  }
  return reward;
}
