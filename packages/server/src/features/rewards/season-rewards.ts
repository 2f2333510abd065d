import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  isVaultLine,
  rateTerms,
  type Season,
  seasonLines,
  seasonOf,
  viewSeasonRate,
  viewVaultRates,
} from '@tidegate/core/views/rewards';
import { type VaultTerms, vaultNow } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { operation } from '../../http/operation.ts';
import { isoInstant, liveText } from '../decimal-format/live-decimals.ts';
import type { ApiContext } from '../feature-context.ts';
import type { VaultTermsOf } from '../pricing/vault-pricing-cache.ts';
import { sidesJson } from './reward-reserves-json.ts';
import { LendingReward, SourceQuery, VaultReward } from './reward-schemas.ts';
import type { LendingLine, SeasonTables } from './season-eligibility-cache.ts';

type Outside = Pick<ApiContext, 'clusters'> & {
  readonly termsOf: VaultTermsOf;
  readonly tableOf: SeasonTables;
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
      operation(
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
        const season = seasonOf(cluster.registry.seasons, query.source);
        return season === undefined ? [] : vaultRewards(cluster, season, termsOf(cluster));
      },
    );

    app.get(
      '/klend/rewards',
      operation(
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
        const season = seasonOf(cluster.registry.seasons, query.source);
        if (season === undefined) return [];
        const terms = termsOf(cluster);
        const { lines, unix } = tableOf(cluster, season);
        const lastCalculated = isoInstant(unix);
        return lines.map((line) => ({ ...lendingJson(line, season, terms), lastCalculated }));
      },
    );
  };

/** A vault that cannot be counted has no figures. */
function vaultRewards(
  { reader }: Cluster,
  season: Season,
  terms: VaultTerms,
): Static<typeof VaultReward>[] {
  const rewarded = seasonLines(season).filter(isVaultLine);
  const addresses = new Set(rewarded.map(({ sides }) => sides.vault));
  const lastCalculated = isoInstant(terms.at.unix);
  return [...addresses].flatMap((address) => {
    const vault = address && reader.vault(address);
    const now = vault && vaultNow(vault, terms);
    if (now === undefined) return [];
    return viewVaultRates(now, season, terms).map(({ rewardToken, apy, tokensPerSecond }) => ({
      ...{ kvault: now.address, rewardToken, lastCalculated },
      apy: liveText(apy),
      tokensPerSecond: liveText(tokensPerSecond),
    }));
  });
}

function lendingJson(
  { sides, market, rewardToken, rewards, eligibleUsd }: LendingLine,
  season: Season,
  terms: VaultTerms,
): Omit<Static<typeof LendingReward>, 'lastCalculated'> {
  const rate = viewSeasonRate(rewards, rateTerms({ season, rewardToken }, terms, eligibleUsd));
  return {
    ...sidesJson(sides),
    ...{ market, rewardToken },
    apy: liveText(rate.apy),
    tokensPerSecond: liveText(rate.tokensPerSecond),
    activePositionsUsd: liveText(rate.eligibleUsd),
  };
}
