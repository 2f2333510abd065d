import { CodedError, hasCode } from '../../base/errors.ts';
import { formatShortUnits } from '../../base/numbers/decimal.ts';
import { farmTime, isSlotBased } from '../../protocol/farms/math/issuance.ts';
import {
  claimableFrom,
  pendingReward,
  type RewardPayout,
} from '../../protocol/farms/math/user-reward.ts';
import { unreadableError } from '../../views/lending/unavailable-figures.ts';
import { rewardIndexes } from '../../views/rewards/farm-rewards.ts';
import type { BuildContext } from '../build.ts';
import { farmContextOf, readStake, type StakeContext } from '../farms/stake-context.ts';
import { requireReadableAccount } from '../require-readable.ts';
import { resultOrError } from '../result-or-error.ts';
import { type ClaimContext, rewardToken } from './claim-context.ts';

/** One claimable reward. */
export type RewardClaim = {
  readonly stake: StakeContext;
  readonly index: number;
  readonly token: ReturnType<typeof rewardToken>;
  /** At the slot of the state. */
  readonly payout: RewardPayout;
};

export type RewardClaims = {
  readonly claims: readonly RewardClaim[];
  readonly notes: readonly string[];
};

/** Rewards that are claimable now; the notes list the others. */
export function findRewardClaims(target: ClaimContext, context: BuildContext): RewardClaims {
  const found = target.stakes.flatMap((stake) =>
    rewardIndexes(stake.farm.fields).flatMap(
      (index) => claimOf({ target, stake, index, context }) ?? [],
    ),
  );
  return {
    claims: found.filter((each) => typeof each !== 'string'),
    notes: found.filter((each) => typeof each === 'string'),
  };
}

type RewardQuery = {
  readonly target: ClaimContext;
  readonly stake: StakeContext;
  readonly index: number;
  readonly context: BuildContext;
};

/** Undefined if nothing was earned, a note if it is not claimable now. */
function claimOf({ target, stake, index, context }: RewardQuery): RewardClaim | string | undefined {
  const { farm, wallet, label } = stake;
  const user = readStake(stake, context);
  if (user === undefined || user.owner !== wallet) return undefined;
  const token = rewardToken(target, stake, index);
  const position = { farm: farm.fields, user };
  const farmContext = farmContextOf(stake, context.state);
  const treasuryFeeBps = treasuryFeeBpsOf(stake, context);
  const payout = resultOrError(() =>
    pendingReward(position, index, { context: farmContext, treasuryFeeBps }),
  );
  if (payout instanceof CodedError) {
    // An overflow means that the stake is newer than the indexed farm.
    const why = hasCode(payout, 'PROGRAM_REFUSES') ? payout.message : 'Try again shortly.';
    return `The ${token.symbol} for ${label} cannot be claimed now. ${why}`;
  }
  if (payout.total === 0n) return undefined;
  const wait = claimableFrom(position, index) - farmTime(farm.fields, context.state.at());
  if (wait <= 0n) return { stake, index, token, payout };
  const unit = isSlotBased(farm.fields) ? 'slots' : 'seconds';
  const amount = `${formatShortUnits(payout.user, token.decimals)} ${token.symbol}`;
  return `${amount} for ${label} can be claimed in ${wait} ${unit}.`;
}

/** Throws ACCOUNT_UNREADABLE without the farms config: the fee, and so every payout, is unknown. */
export function treasuryFeeBpsOf({ farm }: StakeContext, { state }: BuildContext): bigint {
  const { globalConfig } = farm.fields;
  requireReadableAccount(state, globalConfig);
  const config = state.farmsConfig(globalConfig);
  if (config !== undefined) return config.treasuryFeeBps;
  throw unreadableError(globalConfig, 'the config of the farms program is not indexed');
}
