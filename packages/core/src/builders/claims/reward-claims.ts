import { CodedError, hasCode } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import { farmTime, isSlotBased } from '../../protocol/farms/math/farm-time.ts';
import {
  claimableFrom,
  pendingReward,
  type RewardPayout,
} from '../../protocol/farms/math/user-reward.ts';
import { rewardIndexes } from '../../views/rewards/farm-rewards.ts';
import type { BuildContext } from '../build.ts';
import { farmTimeOf, readStake, type StakeContext } from '../farms/stake-context.ts';
import { resultOrError } from '../result-or-error.ts';
import { type ClaimContext, rewardToken } from './claim-context.ts';

/** One reward that is claimed. */
export type RewardClaim = {
  readonly stake: StakeContext;
  readonly index: number;
  readonly token: ReturnType<typeof rewardToken>;
  /** What it pays in the state's slot. */
  readonly payout: RewardPayout;
};

export type RewardClaims = {
  readonly claims: readonly RewardClaim[];
  readonly notes: readonly string[];
};

/** What can be claimed now; the notes tell what has to wait. */
export function findRewardClaims(place: ClaimContext, scene: BuildContext): RewardClaims {
  const found = place.stakes.flatMap((stake) =>
    rewardIndexes(stake.farm.fields).flatMap(
      (index) => claimOf({ place, stake, index, scene }) ?? [],
    ),
  );
  return {
    claims: found.filter((each) => typeof each !== 'string'),
    notes: found.filter((each) => typeof each === 'string'),
  };
}

type Asked = {
  readonly place: ClaimContext;
  readonly stake: StakeContext;
  readonly index: number;
  readonly scene: BuildContext;
};

/** Undefined where nothing was earned, words where it cannot be claimed now. */
function claimOf({ place, stake, index, scene }: Asked): RewardClaim | string | undefined {
  const { farm, wallet, label } = stake;
  const user = readStake(stake, scene);
  if (user === undefined || user.owner !== wallet) return undefined;
  const token = rewardToken(place, stake, index);
  const position = { farm: farm.fields, user };
  const moment = farmTimeOf(stake, scene.state);
  const treasuryFeeBps = treasuryFeeBpsOf(stake, scene);
  const payout = resultOrError(() => pendingReward(position, index, { moment, treasuryFeeBps }));
  if (payout instanceof CodedError) {
    // numbers that do not fit are those of a stake that is newer than its farm is known
    const why = hasCode(payout, 'PROGRAM_REFUSES') ? payout.message : 'Ask again in a moment.';
    return `The ${token.symbol} for ${label} cannot be claimed now. ${why}`;
  }
  if (payout.total === 0n) return undefined;
  const wait = claimableFrom(position, index) - farmTime(farm.fields, scene.state.at());
  if (wait <= 0n) return { stake, index, token, payout };
  const unit = isSlotBased(farm.fields) ? 'slots' : 'seconds';
  const amount = `${formatUnits(payout.user, token.decimals)} ${token.symbol}`;
  return `${amount} for ${label} can be claimed in ${wait} ${unit}.`;
}

/** With the treasury's part as far as it is known. */
export const treasuryFeeBpsOf = ({ farm }: StakeContext, { state }: BuildContext): bigint =>
  state.farmsConfig(farm.fields.globalConfig)?.treasuryFeeBps ?? 0n;
