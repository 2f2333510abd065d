import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  fixedDecimalToRatio,
  sumRatios,
  toAddress,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { boostAt, findSeason } from '@tidegate/core/views/rewards';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { requireHistory, setSampleGapsHeader } from '../../history-query/history-query.ts';
import type { VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import {
  SeasonUserTotal,
  SourceQuery,
  StakingBoost,
  UserLendingRewards,
  UserVaultReward,
} from '../reward-schemas.ts';
import type { SeasonEligibilityCache } from '../season-eligibility-cache.ts';
import {
  readWalletLendingRewards,
  readWalletVaultRewards,
  type WalletSeasonQuery,
} from '../wallet-season-rewards.ts';
import { userLendingRewardsJson, userVaultRewardsJson } from './json.ts';

type Outside = Pick<FeatureContext, 'clusters'> & {
  readonly termsOf: VaultPricingCache;
  readonly tableOf: SeasonEligibilityCache;
};

const EARNED =
  'Positions are counted at the last sample of each hour: what stood then earns its part of what is given until the next one. tokensEarned is of the season up to now, without the boost; USD are at the price of now. x-gaps names times without samples.';

/** What seasons give one wallet. */
export const userRewardRoutes =
  (outside: Outside): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { statuses: [400, 500], weight: 10 } as const;
    const schemas = { params: Type.Object({ pubkey: AddressString }), querystring: SourceQuery };

    app.get(
      '/klend/users/:pubkey/rewards',
      defineOperation(
        {
          ...facts,
          operationId: 'getUserLendingRewards',
          tag: 'lending-users',
          summary: 'What a season gives a wallet for its loans',
          description: `Rewards that its loans have a part of, or had one. ${EARNED}`,
        },
        { ...schemas, answer: UserLendingRewards },
      ),
      async ({ params, query }, reply) => {
        const asked = await askedSeason(outside, { ...params, ...query });
        const lines = asked === undefined ? [] : await readWalletLendingRewards(asked);
        await tellSeasonGaps(reply, asked);
        return userLendingRewardsJson(lines, nowOf(outside));
      },
    );

    app.get(
      '/kvaults/users/:pubkey/rewards',
      defineOperation(
        {
          ...facts,
          operationId: 'listUserVaultRewards',
          tag: 'season',
          summary: 'What a season gives a wallet for its vault shares',
          description: `One for each token, over all vaults; the avg fields are over all tokens. ${EARNED}`,
        },
        { ...schemas, answer: Type.Array(UserVaultReward) },
      ),
      async ({ params, query }, reply) => {
        const asked = await askedSeason(outside, { ...params, ...query });
        const lines = asked === undefined ? [] : await readWalletVaultRewards(asked);
        await tellSeasonGaps(reply, asked);
        return userVaultRewardsJson(lines, nowOf(outside));
      },
    );

    app.register(seasonTotalRoutes(outside));
  };

/** What a season comes to for a wallet, and what its staking adds. */
const seasonTotalRoutes =
  (outside: Outside): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'season', statuses: [400, 500] } as const;
    const schemas = { params: Type.Object({ pubkey: AddressString }), querystring: SourceQuery };

    app.get(
      '/season-rewards/users/:pubkey',
      defineOperation(
        {
          ...facts,
          operationId: 'getSeasonUserTotal',
          summary: 'What a season has given a wallet in all',
          description:
            'For loans and shares together, with the boost, in the token of the season’s first reward; other tokens are not part of it. Without a season nothing, of no token.',
          weight: 15,
        },
        { ...schemas, answer: SeasonUserTotal },
      ),
      async ({ params, query }, reply) => {
        const wallet = toAddress(params.pubkey);
        const asked = await askedSeason(outside, { ...params, ...query });
        await tellSeasonGaps(reply, asked);
        return { wallet, totalRewards: await totalOf(asked) };
      },
    );

    app.get(
      '/users/:pubkey/staking-boosts',
      defineOperation(
        {
          ...facts,
          operationId: 'listStakingBoosts',
          summary: 'What a wallet’s staking adds to a season’s rewards',
          description: 'As it is now, before the season’s cap, under the name of the season.',
          weight: 1,
        },
        { ...schemas, answer: Type.Array(StakingBoost) },
      ),
      async ({ params, query }) => {
        const cluster = outside.clusters.select(undefined);
        const season = findSeason(cluster.registry.seasons, query.source);
        if (season === undefined) return [];
        const { unix } = cluster.reader.at();
        const { stakingBoost } = boostAt(season, toAddress(params.pubkey), unix);
        if (stakingBoost.numerator === 0n) return [];
        return [{ boost: formatLiveRatio(stakingBoost), name: season.source }];
      },
    );
  };

type Asked = { readonly pubkey: string; readonly source?: string };

/** Undefined where there is no such season. */
async function askedSeason(
  { clusters, termsOf, tableOf }: Outside,
  { pubkey, source }: Asked,
): Promise<WalletSeasonQuery | undefined> {
  const cluster = clusters.select(undefined);
  const season = findSeason(cluster.registry.seasons, source);
  if (season === undefined) return undefined;
  const wallet = toAddress(pubkey);
  await cluster.ensureWallet(wallet);
  return { cluster, season, wallet, termsOf, tableOf };
}

const nowOf = ({ clusters }: Outside) => clusters.select(undefined).reader.at().unix;

async function tellSeasonGaps(
  reply: FastifyReply,
  asked: WalletSeasonQuery | undefined,
): Promise<void> {
  if (asked === undefined) return;
  const { cluster, season } = asked;
  const range = { start: season.start, end: cluster.reader.at().unix };
  await setSampleGapsHeader(reply, requireHistory(cluster), range);
}

type Total = Static<typeof SeasonUserTotal>['totalRewards'];

async function totalOf(asked: WalletSeasonQuery | undefined): Promise<Total> {
  const token: Address | undefined = asked?.season.rewards[0]?.rewardToken;
  if (asked === undefined || token === undefined) return { amount: '0', tokenMint: ZERO_ADDRESS };
  const lines = [
    ...(await readWalletLendingRewards(asked)),
    ...(await readWalletVaultRewards(asked)),
  ];
  const given = lines.filter(({ line }) => line.rewardToken === token);
  const amounts = given.map(({ earned }) => fixedDecimalToRatio(earned.boosted));
  return { amount: formatLiveRatio(sumRatios(amounts)), tokenMint: token };
}
