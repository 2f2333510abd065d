import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type FarmPurpose,
  type FarmStake,
  farmPurposes,
  isOpenFarmStake,
  loanSection,
  type PendingReward,
  stakedMints,
  viewFarmStake,
  viewPendingRewards,
} from '@tidegate/core/views/portfolio';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { ProgramIdString, parseProgramId } from '../../lending-program/program-id.ts';
import { type FarmPendingRewards, PortfolioPendingRewards, type PositionType } from './schema.ts';

const DEFAULT_TYPES = '0,1';

const Query = Type.Object({
  programId: Type.Optional(ProgramIdString),
  rewardTypes: Type.Optional(
    Type.String({
      pattern: '^\\d+(,\\d+)*$',
      description: '0: shared by all stakes, 1: paid for each; both if left out',
    }),
  ),
});

export const getPortfolioPendingRewards =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/portfolio/:pubkey/rewards',
      defineOperation(
        {
          operationId: 'getPortfolioPendingRewards',
          tag: 'portfolio',
          summary: 'Farm rewards that a wallet can claim',
          description:
            'For each open stake: what a claim in the slot of the answer would pay out, after the treasury’s part. A farm whose rewards cannot be counted is named under partialErrors.',
          weight: 5,
          statuses: [400, 500],
          keptWhile: () => clusters.version(),
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Query,
          answer: PortfolioPendingRewards,
        },
      ),
      async ({ params, query }) => {
        const programId = parseProgramId(query.programId);
        const cluster = clusters.select(undefined);
        const owner = toAddress(params.pubkey);
        await cluster.ensureWallet(owner);
        const types = new Set((query.rewardTypes ?? DEFAULT_TYPES).split(',').map(Number));
        return rewardsOf(cluster, { owner, programId, types });
      },
    );
  };

type Asked = {
  readonly owner: Address;
  readonly programId: Address;
  readonly types: ReadonlySet<number>;
};

/** What each farm is for, as the reserves and vaults of the cluster name them. */
export function readFarmPurposes(reader: ClusterReader): ReadonlyMap<Address, FarmPurpose> {
  const reserves = reader.markets().flatMap(({ address }) => reader.reservesOf(address));
  return farmPurposes({ reserves, vaults: reader.vaults() });
}

function rewardsOf(
  { reader }: Cluster,
  { owner, programId, types }: Asked,
): Static<typeof PortfolioPendingRewards> {
  const purposes = readFarmPurposes(reader);
  const prices = (feed: Address) => reader.prices(feed);
  const terms = { at: reader.at(), slotMs: reader.slotMs(), prices };
  const farms: Static<typeof FarmPendingRewards>[] = [];
  const gaps: string[] = [];
  for (const user of reader.farmUsersOf(owner)) {
    const farm = reader.farm(user.fields.farmState);
    if (farm === undefined) {
      gaps.push(user.fields.farmState);
      continue;
    }
    const stake = viewFarmStake(user, farm, purposes);
    if (!isOpenFarmStake(stake) || isOfOtherProgram(stake, reader, programId)) continue;
    const config = reader.farmsConfig(farm.fields.globalConfig);
    const rewards = viewPendingRewards(stake, config, terms);
    if (rewards === undefined) gaps.push(farm.address);
    else
      farms.push(
        farmJson(
          stake,
          rewards.filter(({ type }) => types.has(type)),
          reader,
        ),
      );
  }
  return {
    timestamp: formatIsoInstant(reader.at().unix),
    farms: farms.sort((a, b) => (a.userState < b.userState ? -1 : 1)),
    ...(gaps.length > 0 && { partialErrors: { rewardMetadata: gaps } }),
  };
}

/** Stakes of loans belong to the lending program that the loan is of. */
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
    positionType: positionType(stake, reader),
    activeStakeAmount: formatLiveRatio(stake.stake),
    tokenMints: [...stakedMints(stake)],
    rewards: rewards.map(({ amount, ...reward }) => ({
      ...reward,
      amount: formatLiveRatio(amount),
    })),
  };
}

const loanPositions = {
  lending: 'Borrow Markets',
  multiply: 'Multiply',
  leverage: 'Leverage',
} as const;

/** A stake in the farm of a reserve is a loan's, or that of a depositor of a vault that lends to it. */
function positionType({ purpose, user }: FarmStake, reader: ClusterReader): PositionType {
  if (purpose.kind === 'token') return 'Liquidity';
  if (purpose.kind === 'vault') return 'Lend';
  const obligation = reader.obligation(user.delegatee);
  if (obligation === undefined) return 'Lend';
  return loanPositions[loanSection(obligation.fields) ?? 'lending'];
}
