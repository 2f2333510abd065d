import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { requireUnavailable } from '@tidegate/core/views/lending';
import {
  type FarmStake,
  isOpenFarmStake,
  loanSection,
  type PendingReward,
  stakedMints,
  viewFarmStake,
  viewPendingRewards,
} from '@tidegate/core/views/portfolio';
import type { Static } from 'typebox';
import { formatIsoInstant, formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import { readFarmPurposes } from '../../../support/pricing/farm-purposes.ts';
import type { FarmPendingRewards, PortfolioPendingRewards, PositionType } from './schema.ts';

type PendingRewardsQuery = {
  readonly owner: Address;
  readonly programId: Address;
  readonly types: ReadonlySet<number>;
};

export function pendingRewardsJson(
  reader: ClusterReader,
  { owner, programId, types }: PendingRewardsQuery,
): Static<typeof PortfolioPendingRewards> {
  const purposes = readFarmPurposes(reader);
  const prices = (feed: Address) => reader.prices(feed);
  const context = { at: reader.at(), slotMs: reader.slotMs(), prices };
  const farms: Static<typeof FarmPendingRewards>[] = [];
  const failedFarms: string[] = [];
  for (const user of reader.farmUsersOf(owner)) {
    const farm = reader.farm(user.fields.farmState);
    if (farm === undefined) {
      failedFarms.push(user.fields.farmState);
      continue;
    }
    const stake = stakeOrUndefined(() => viewFarmStake(user, farm, purposes));
    if (stake === undefined) {
      failedFarms.push(farm.address);
      continue;
    }
    if (!isOpenFarmStake(stake) || isOfOtherProgram(stake, reader, programId)) continue;
    const config = reader.farmsConfig(farm.fields.globalConfig);
    const pending = viewPendingRewards(stake, config, context);
    if (pending?.isComplete !== true) failedFarms.push(farm.address);
    if (pending === undefined) continue;
    const requestedRewards = pending.rewards.filter(({ type }) => types.has(type));
    farms.push(farmJson(stake, requestedRewards, reader));
  }
  return {
    timestamp: formatIsoInstant(reader.at().unix),
    farms: farms.sort((a, b) => (a.userState < b.userState ? -1 : 1)),
    ...(failedFarms.length > 0 && { partialErrors: { rewardMetadata: failedFarms } }),
  };
}

function stakeOrUndefined(view: () => FarmStake): FarmStake | undefined {
  try {
    return view();
  } catch (error) {
    requireUnavailable(error);
    return undefined;
  }
}

/** Only the stake of a loan belongs to a lending program: that of its reserve. */
function isOfOtherProgram(
  { purpose }: FarmStake,
  reader: ClusterReader,
  programId: Address,
): boolean {
  if (purpose.kind !== 'deposits' && purpose.kind !== 'debts') return false;
  return reader.reserve(purpose.reserve.address)?.program !== programId;
}

function farmJson(
  stake: FarmStake,
  rewards: readonly PendingReward[],
  reader: ClusterReader,
): Static<typeof FarmPendingRewards> {
  const { farm, user, purpose } = stake;
  const { strategyId } = farm.fields;
  return {
    farm: farm.address,
    userState: stake.address,
    delegatee: user.delegatee,
    ...(strategyId !== ZERO_ADDRESS && { strategy: strategyId }),
    ...(purpose.kind === 'vault' && { vault: purpose.vault.address }),
    positionType: positionTypeOf(stake, reader),
    activeStakeAmount: formatLiveRatio(stake.active),
    tokenMints: [...stakedMints(stake)],
    rewards: rewards.map(({ amount, ...reward }) => ({
      ...reward,
      amount: formatLiveRatio(amount),
    })),
  };
}

const loanPositionTypes = {
  lending: 'Borrow Markets',
  multiply: 'Multiply',
  leverage: 'Leverage',
} as const;

/** A stake in the farm of a reserve belongs to a loan, or to a depositor of a vault that lends to the reserve. */
function positionTypeOf({ purpose, user }: FarmStake, reader: ClusterReader): PositionType {
  if (purpose.kind === 'token') return 'Liquidity';
  if (purpose.kind === 'vault') return 'Lend';
  const obligation = reader.obligation(user.delegatee);
  if (obligation === undefined) return 'Lend';
  return loanPositionTypes[loanSection(obligation.fields) ?? 'lending'];
}
