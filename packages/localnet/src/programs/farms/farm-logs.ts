import { WAD } from '@tidegate/core/base';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import {
  applyOraclePrice,
  type FarmContext,
  farmTime,
  isConstantReward,
  powerOfTen,
  type RewardInfoView,
  scheduledAmount,
} from '@tidegate/core/protocol/farms/math';
import type { FarmPosition } from '@tidegate/core/protocol/farms/operations';
import type { InvokeContext } from '../../runtime/program.ts';

const OPERATIONS = 'farm_operations::';
const ON_INCREASE = 'update_user_rewards_tally_on_stake_increase';

/** A log line of the program's operations module. */
export const logOperation = (call: InvokeContext, text: string): void =>
  call.log(`${OPERATIONS}${text}`);

/** Shares as the program prints them, with 18 decimals. */
export const formatScaledFraction = (scaled: bigint): string =>
  `${scaled / WAD}.${(scaled % WAD).toString().padStart(18, '0')}`;

/** The log of a reward refresh; `farm` is the refreshed farm. */
export function logIssuance(
  call: InvokeContext,
  before: FarmState,
  { farm, context }: { readonly farm: FarmState; readonly context: FarmContext },
): void {
  const now = farmTime(before, context.at);
  logOperation(call, `refresh_global_rewards ts=${now}`);
  usedRewards(before).forEach((reward, i) => {
    const last = reward.lastIssuanceTs;
    if (now === last || before.totalActiveStakeScaled === 0n) return;
    const { scheduled, earned, adjusted } = earnings(before, reward, context);
    const type = isConstantReward(reward) ? 'Constant' : 'Proportional';
    call.log(
      `time_passed=${now - last} reward_type=${type} cumulative_amt=${scheduled} ` +
        `decimal_adjusted_amt=${earned} oracle_adjusted_amt=${adjusted} `,
    );
    if (adjusted === 0n) return;
    const issued =
      (farm.rewardInfos[i]?.rewardsIssuedCumulative ?? 0n) - reward.rewardsIssuedCumulative;
    const times = `last_ts=${last} ts=${now}`;
    logOperation(call, `refresh_global_reward issuing_reward=${issued} ${times}`);
  });
}

/** The log of a user's reward refresh; users without stake are skipped. */
export function logUserRewards(
  call: InvokeContext,
  before: FarmPosition,
  after: FarmPosition,
): void {
  if (before.user.activeStakeScaled === 0n) return;
  usedRewards(before.farm).forEach((_, i) => {
    logUserReward(call, i, { before, after });
  });
}

export function logUserReward(
  call: InvokeContext,
  index: number,
  { before, after }: { readonly before: FarmPosition; readonly after: FarmPosition },
): void {
  const { user } = before;
  const tally = user.rewardsTallyScaled[index] ?? 0n;
  const total = after.user.rewardsIssuedCumulative[index] ?? 0n;
  const reward = total - (user.rewardsIssuedCumulative[index] ?? 0n);
  const perShare = after.farm.rewardInfos[index]?.rewardPerShareScaled ?? 0n;
  logOperation(
    call,
    `user_refresh_reward reward_index ${index} Global stake ${before.farm.totalActiveStakeScaled} ` +
      `User stake ${user.activeStakeScaled} prev_reward_tally ${tally} rpt ${perShare}`,
  );
  const newTally = tally + reward * WAD;
  logOperation(call, `user_refresh_reward reward ${reward}, new_reward_tally (scaled) ${newTally}`);
}

/** The log of a deposit whose warm-up has ended, if there is one. */
export function logActivation(
  call: InvokeContext,
  before: FarmPosition,
  after: FarmPosition,
): void {
  const gained = after.user.activeStakeScaled - before.user.activeStakeScaled;
  if (gained === 0n) return;
  const amount = after.farm.totalStakedAmount - before.farm.totalStakedAmount;
  const stake = `amount_staked ${amount} active_stake_gained (scaled) ${gained}`;
  logOperation(call, `user_refresh_stake ${stake}`);
  logTallies(call, after, gained);
}

/** The log of newly active shares. */
export function logTallies(call: InvokeContext, after: FarmPosition, gained: bigint): void {
  if (gained === 0n) return;
  logOperation(call, `${ON_INCREASE} amount(scaled)=${gained}`);
  usedRewards(after.farm).forEach((_, i) => {
    const tally = after.user.rewardsTallyScaled[i] ?? 0n;
    logOperation(call, `${ON_INCREASE} reward_index=${i} new_reward_tally(scaled)=${tally}`);
  });
}

function earnings(farm: FarmState, reward: RewardInfoView, { at, price }: FarmContext) {
  const now = farmTime(farm, at);
  const { points } = reward.rewardScheduleCurve;
  const scheduled = scheduledAmount(points, reward.lastIssuanceTs, now);
  const units = isConstantReward(reward) ? scheduled * farm.totalStakedAmount : scheduled;
  const earned = units / powerOfTen(BigInt(reward.rewardsPerSecondDecimals));
  return { scheduled, earned, adjusted: applyOraclePrice(farm, earned, { now, price }) };
}

const usedRewards = (farm: FarmState) => farm.rewardInfos.slice(0, Number(farm.numRewardTokens));
