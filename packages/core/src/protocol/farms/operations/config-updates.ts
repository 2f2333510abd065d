import { type Address, addressFromBytes, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmConfigEntry, FarmConfigValue, SchedulePoint } from '../farm-config.ts';
import { farmsGlobalConfigModes } from '../instructions/farm-setup.ts';
import type { FarmState } from '../layout/farm-state.ts';
import type { GlobalConfig } from '../layout/global-config.ts';
import { type FarmContext, farmTime, isDelegated } from '../math/issuance.ts';
import { type RewardInfo, refreshRewards } from './refresh.ts';

export type FarmConfigUpdate = {
  readonly entry: FarmConfigEntry;
  readonly value: FarmConfigValue;
};

/** Whether the signer may change the setting. */
export function isFarmConfigAuthority(
  farm: Pick<FarmState, 'farmAdmin' | 'delegatedRpsAdmin'>,
  { authority }: FarmConfigEntry,
  signer: Address,
): boolean {
  if (signer === farm.farmAdmin) return true;
  return authority === 'farm admin or rate admin' && signer === farm.delegatedRpsAdmin;
}

/**
 * The `updateFarmConfig` instruction. A setting of a reward issues the rewards until now by the old settings, and then
 * counts from now on.
 */
export function updateFarmConfig(
  farm: FarmState,
  { entry, value }: FarmConfigUpdate,
  context: FarmContext,
): FarmState {
  checkKindOfFarm(farm, entry);
  if (entry.of === 'reward') return updateReward(farm, { entry, value }, context);
  if (entry.type === 'address') {
    const address = requireKind(value, 'address').value;
    if (entry.isRequired && address === ZERO_ADDRESS) {
      const reason = 'a delegated farm must have a delegate authority';
      throw farmsRejection('InvalidDelegatedAuthorityUpdate', reason);
    }
    return { ...farm, [entry.field]: address };
  }
  const amount = requireKind(value, 'number').value;
  if (entry.type === 'u64' && entry.max !== undefined && amount > entry.max) {
    const reason = `${entry.name} is ${amount}, but the maximum is ${entry.max}`;
    throw farmsRejection('InvalidConfigValue', reason);
  }
  if (entry.field === 'lockingMode' && amount > LAST_LOCKING_MODE) {
    throw malformed(`the locking mode ${amount} does not exist`);
  }
  const isNumber = entry.type === 'u32' || entry.type === 'flag';
  return { ...farm, [entry.field]: isNumber ? Number(amount) : amount };
}

const LAST_LOCKING_MODE = 2n;
const LAST_REWARD_TYPE = 1n;

function checkKindOfFarm(farm: FarmState, { name, farms }: FarmConfigEntry): void {
  const delegated = isDelegated(farm);
  if (farms === 'not delegated' && delegated) {
    throw farmsRejection('FarmDelegated', `a delegated farm has no ${name}`);
  }
  if (farms === 'delegated' && !delegated) {
    throw farmsRejection('FarmNotDelegated', `only a delegated farm has ${name}`);
  }
}

function updateReward(
  farm: FarmState,
  { entry, value }: FarmConfigUpdate,
  context: FarmContext,
): FarmState {
  const index = value.kind === 'address' ? undefined : value.rewardIndex;
  if (index === undefined) throw malformed('the setting names no reward');
  if (index >= farm.numRewardTokens) {
    const reason = `the farm has ${farm.numRewardTokens} rewards, none with index ${index}`;
    throw farmsRejection('RewardIndexOutOfRange', reason);
  }
  const refreshed = refreshRewards(farm, context);
  const rewardInfos = refreshed.rewardInfos.map((reward, i) => {
    if (BigInt(i) !== index) return reward;
    const lastIssuanceTs = farmTime(farm, context.at);
    return { ...setReward(reward, entry.type, value), lastIssuanceTs };
  });
  return { ...refreshed, rewardInfos };
}

function setReward(
  reward: RewardInfo,
  type: FarmConfigEntry['type'],
  value: FarmConfigValue,
): RewardInfo {
  if (type === 'schedule') {
    return { ...reward, rewardScheduleCurve: rewardSchedule(requireKind(value, 'schedule').value) };
  }
  const amount = requireKind(value, 'number').value;
  switch (type) {
    case 'rate':
      return { ...reward, rewardScheduleCurve: constantSchedule(amount) };
    case 'claim interval':
      return { ...reward, minClaimDurationSeconds: amount };
    case 'reward type':
      if (amount > LAST_REWARD_TYPE) throw malformed(`the reward type ${amount} does not exist`);
      return { ...reward, rewardType: Number(amount) };
    case 'rate decimals':
      return { ...reward, rewardsPerSecondDecimals: Number(amount) };
    default:
      throw malformed(`${type} is no setting of a reward`);
  }
}

type RewardSchedule = RewardInfo['rewardScheduleCurve'];

const MAX_POINTS = 20;

/** One rate since the start of time. A rate of zero is the schedule of a new reward. */
export const constantSchedule = (rewardPerTimeUnit: bigint): RewardSchedule =>
  rewardSchedule([{ tsStart: 0n, rewardPerTimeUnit }]);

/** Between 1 and 20 points with ascending times. The program panics on others. */
export function rewardSchedule(points: readonly SchedulePoint[]): RewardSchedule {
  const isAscending = points.every(({ tsStart }, i) => {
    const previous = points[i - 1];
    if (previous === undefined) return tsStart !== U64_MAX;
    return tsStart > previous.tsStart || tsStart === U64_MAX;
  });
  if (points.length === 0 || points.length > MAX_POINTS || !isAscending) {
    throw malformed('the points of the schedule are not 1 to 20 ascending times');
  }
  const unused = { tsStart: U64_MAX, rewardPerTimeUnit: 0n };
  return { points: Array.from({ length: MAX_POINTS }, (_, i) => points[i] ?? unused) };
}

function requireKind<Kind extends FarmConfigValue['kind']>(
  value: FarmConfigValue,
  kind: Kind,
): Extract<FarmConfigValue, { readonly kind: Kind }> {
  if (isOfKind(value, kind)) return value;
  throw malformed('its value has another type than the setting');
}

const isOfKind = <Kind extends FarmConfigValue['kind']>(
  value: FarmConfigValue,
  kind: Kind,
): value is Extract<FarmConfigValue, { readonly kind: Kind }> => value.kind === kind;

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'farm setting', reason });

const MAX_FEE_BPS = 10_000n;

/** The `updateGlobalConfig` instruction. `value` has 32 bytes. */
export function updateGlobalConfig(
  config: GlobalConfig,
  mode: number,
  value: Uint8Array,
): GlobalConfig {
  const name = farmsGlobalConfigModes[mode];
  if (name === undefined) {
    throw farmsRejection('InvalidGlobalConfigMode', `there is no setting ${mode}`);
  }
  switch (name) {
    case 'SetPendingGlobalAdmin':
      return { ...config, pendingGlobalAdmin: addressFromBytes(value) };
    case 'SetTreasuryFeeBps': {
      const treasuryFeeBps = u64.decode(new DataView(value.buffer, value.byteOffset), 0);
      if (treasuryFeeBps > MAX_FEE_BPS) {
        throw farmsRejection(
          'InvalidConfigValue',
          `the fee of ${treasuryFeeBps} bps exceeds 100 %`,
        );
      }
      return { ...config, treasuryFeeBps };
    }
  }
}
