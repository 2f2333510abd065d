import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { Decoded } from '#core/base/encoding/layout.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { type FarmState, farmState, rewardInfo } from '#core/protocol/farms/layout/farm-state.ts';
import { type UserState, userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';

type RewardInfo = Decoded<typeof rewardInfo>;

/** Any address here makes a farm delegated. */
export const DELEGATE_AUTHORITY = FARMS_PROGRAM;

export const timeAtUnix = (unix: bigint, slot = 1n): ChainTime => ({
  unix: toUnixSeconds(unix),
  slot: toSlot(slot),
});

/** Rates with start times. The rest of the twenty points is unused. */
export function schedule(...points: readonly (readonly [bigint, bigint])[]) {
  const used = points.map(([tsStart, rewardPerTimeUnit]) => ({ tsStart, rewardPerTimeUnit }));
  const unused = Array.from({ length: 20 - used.length }, () => ({
    tsStart: U64_MAX,
    rewardPerTimeUnit: 0n,
  }));
  return { points: [...used, ...unused] };
}

/** A reward of 10 per second since 1970 with ample funds. */
export function rewardWith(fields: Partial<RewardInfo> = {}): RewardInfo {
  return {
    ...emptyReward(),
    rewardScheduleCurve: schedule([0n, 10n]),
    rewardsAvailable: toLamports(10n ** 15n),
    ...fields,
  };
}

/** A normal farm in seconds, without oracle. */
export function farmWith(
  fields: Partial<FarmState> = {},
  rewards: readonly RewardInfo[] = [rewardWith()],
): FarmState {
  const empty = farmState.body.decode(zeros(farmState.body.size), 0);
  const free = Array.from({ length: 10 - rewards.length }, emptyReward);
  return {
    ...empty,
    rewardInfos: [...rewards, ...free],
    numRewardTokens: BigInt(rewards.length),
    scopeOraclePriceId: U64_MAX,
    scopeOracleMaxAge: U64_MAX,
    ...fields,
  };
}

export const delegatedFarm = (
  fields: Partial<FarmState> = {},
  rewards?: readonly RewardInfo[],
): FarmState => farmWith({ delegateAuthority: DELEGATE_AUTHORITY, ...fields }, rewards);

export function userWith(fields: Partial<UserState> = {}): UserState {
  const empty = userState.body.decode(zeros(userState.body.size), 0);
  return {
    ...empty,
    owner: DELEGATE_AUTHORITY,
    delegatee: DELEGATE_AUTHORITY,
    farmState: ZERO_ADDRESS,
    ...fields,
  };
}

/** An array of ten values that are zero except for the first. */
export const firstOfTen = <Value>(value: Value, zero: Value): Value[] => [
  value,
  ...Array.from({ length: 9 }, () => zero),
];

const emptyReward = (): RewardInfo => rewardInfo.decode(zeros(rewardInfo.size), 0);

const zeros = (size: number): DataView => new DataView(new ArrayBuffer(size));
