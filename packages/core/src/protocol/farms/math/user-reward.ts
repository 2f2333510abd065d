import { checkBits, floorWad, mulWad } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import type { UserStateView } from '../layout/user-state.ts';
import {
  type FarmContext,
  isDelegated,
  issueReward,
  type RewardInfoView,
  type RewardIssuance,
} from './issuance.ts';

/** A farm and one of its users, read-only. */
export type FarmPositionView = { readonly farm: FarmStateView; readonly user: UserStateView };

/** The payout of a harvest. */
export type RewardPayout = {
  readonly total: Lamports;
  readonly user: Lamports;
  readonly treasury: Lamports;
};

const FULL_BPS = 10_000n;

/** The earnings of a stake since the start of the farm, scaled. The user's tally is the part already credited. */
function stakeValue(
  farm: Pick<FarmStateView, 'delegateAuthority'>,
  rewardPerShareScaled: bigint,
  stakeScaled: bigint,
): bigint {
  return isDelegated(farm)
    ? checkBits(rewardPerShareScaled * stakeScaled, 192, 'decimal')
    : mulWad(rewardPerShareScaled, stakeScaled);
}

/** Earnings since the last tally, in whole lamports. The fraction is credited later. */
export function newlyEarnedReward(
  { farm, user }: FarmPositionView,
  index: number,
  rewardPerShareScaled: bigint,
): Lamports {
  const earned = stakeValue(farm, rewardPerShareScaled, user.activeStakeScaled);
  return floorWad(checkBits(earned - (user.rewardsTallyScaled.at(index) ?? 0n), 192, 'decimal'));
}

/**
 * The payout of a harvest of reward `index`. A harvest first refreshes all rewards of the farm, so it throws if one of
 * them cannot be issued. Ignores the minimum claim duration, see `claimableFrom`. The treasury's part is rounded down.
 */
export function pendingReward(
  position: FarmPositionView,
  index: number,
  { context, treasuryFeeBps }: { readonly context: FarmContext; readonly treasuryFeeBps: bigint },
): RewardPayout {
  const { farm, user } = position;
  const { rewardPerShareScaled } = issueWithOthers(farm, index, context);
  const unclaimed = user.rewardsIssuedUnclaimed.at(index) ?? 0n;
  return splitPayout(
    unclaimed + newlyEarnedReward(position, index, rewardPerShareScaled),
    treasuryFeeBps,
  );
}

function issueWithOthers(farm: FarmStateView, index: number, context: FarmContext): RewardIssuance {
  for (let other = 0; BigInt(other) < farm.numRewardTokens; other++) {
    if (other !== index) issueReward(farm, rewardAt(farm, other), context);
  }
  return issueReward(farm, rewardAt(farm, index), context);
}

/** The earliest time, in the farm's unit, at which the user can harvest the reward. */
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

/** Only the first `numRewardTokens` of the ten entries are used. */
export function rewardAt(farm: FarmStateView, index: number): RewardInfoView {
  const reward = BigInt(index) < farm.numRewardTokens ? farm.rewardInfos.at(index) : undefined;
  if (reward === undefined) {
    const reason = `the farm has no reward ${index}, only ${farm.numRewardTokens} rewards`;
    throw farmsRejection('RewardIndexOutOfRange', reason);
  }
  return reward;
}
