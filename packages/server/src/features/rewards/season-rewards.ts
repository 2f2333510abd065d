import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  findSeason,
  groupSeasonRewards,
  isVaultRewardGroup,
  type Season,
  seasonRateInput,
  viewSeasonRate,
  viewVaultSeasonRates,
} from '@tidegate/core/views/rewards';
import { snapshotVault, type VaultViewContext } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { formatIsoInstant, formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import type { VaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { rewardReservesJson } from './reward-reserves-json.ts';
import { LendingReward, SourceQuery, VaultReward } from './reward-schemas.ts';
import type { EligibleLendingReward, SeasonEligibilityCache } from './season-eligibility-cache.ts';

type Outside = Pick<FeatureContext, 'clusters'> & {
  readonly termsOf: VaultPricingCache;
  readonly tableOf: SeasonEligibilityCache;
};

const RATES =
  'Tokens are whole ones, to all positions together; apy is a year of them at the price of now over the value of the positions, not compounded. Zero while a reward is not paid, and where its token has no price.';

/** What seasons give now. */
export const seasonRewardRoutes =
  ({ clusters, termsOf, tableOf }: Outside): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { statuses: [400, 500], keptWhile: () => clusters.version() } as const;

    app.get(
      '/kvaults/rewards',
      defineOperation(
        {
          ...facts,
          operationId: 'listVaultRewards',
          tag: 'earn',
          summary: 'What a season gives the shareholders of vaults',
          description: `By vault, then by token. ${RATES}`,
          weight: 2,
        },
        { querystring: SourceQuery, answer: Type.Array(VaultReward) },
      ),
      async ({ query }) => {
        const cluster = clusters.select(undefined);
        const season = findSeason(cluster.registry.seasons, query.source);
        return season === undefined ? [] : vaultRewards(cluster, season, termsOf(cluster));
      },
    );

    app.get(
      '/klend/rewards',
      defineOperation(
        {
          ...facts,
          operationId: 'listLendingRewards',
          tag: 'lending',
          summary: 'What a season gives loans',
          description: `For a deposit, for a debt, or for a deposit of loans with the debt, summed as of lastCalculated. ${RATES}`,
          weight: 5,
        },
        { querystring: SourceQuery, answer: Type.Array(LendingReward) },
      ),
      async ({ query }) => {
        const cluster = clusters.select(undefined);
        const season = findSeason(cluster.registry.seasons, query.source);
        if (season === undefined) return [];
        const terms = termsOf(cluster);
        const { lines, unix } = tableOf(cluster, season);
        const lastCalculated = formatIsoInstant(unix);
        return lines.map((line) => ({ ...lendingJson(line, season, terms), lastCalculated }));
      },
    );
  };

/** A vault that cannot be counted has no figures. */
function vaultRewards(
  { reader }: Cluster,
  season: Season,
  terms: VaultViewContext,
): Static<typeof VaultReward>[] {
  const rewarded = groupSeasonRewards(season).filter(isVaultRewardGroup);
  const addresses = new Set(rewarded.map(({ sides }) => sides.vault));
  const lastCalculated = formatIsoInstant(terms.at.unix);
  return [...addresses].flatMap((address) => {
    const vault = address && reader.vault(address);
    const now = vault && snapshotVault(vault, terms);
    if (now === undefined) return [];
    return viewVaultSeasonRates(now, season, terms).map(
      ({ rewardToken, apy, tokensPerSecond }) => ({
        ...{ kvault: now.address, rewardToken, lastCalculated },
        apy: formatLiveRatio(apy),
        tokensPerSecond: formatLiveRatio(tokensPerSecond),
      }),
    );
  });
}

function lendingJson(
  { sides, market, rewardToken, rewards, eligibleUsd }: EligibleLendingReward,
  season: Season,
  terms: VaultViewContext,
): Omit<Static<typeof LendingReward>, 'lastCalculated'> {
  const rate = viewSeasonRate(
    rewards,
    seasonRateInput({ season, rewardToken }, terms, eligibleUsd),
  );
  return {
    ...rewardReservesJson(sides),
    ...{ market, rewardToken },
    apy: formatLiveRatio(rate.apy),
    tokensPerSecond: formatLiveRatio(rate.tokensPerSecond),
    activePositionsUsd: formatLiveRatio(rate.eligibleUsd),
  };
}
