import {
  findSeason,
  type Season,
  seasonRateInput,
  viewSeasonRate,
} from '@tidegate/core/views/rewards';
import { trackPrices, type VaultViewContext } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { setPriceHeaders, setStalePricesHeader } from '../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { vaultPricingCache } from '../../support/pricing/vault-pricing-cache.ts';
import { SeasonQuery } from '../../support/schemas/season-query.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { rewardReservesJson } from './reward-reserves-json.ts';
import { rewardReserves, SEASON_RATES_DESCRIPTION } from './reward-schemas.ts';
import { type EligibleLendingReward, seasonEligibilityCache } from './season-eligibility-cache.ts';

const LendingReward = Type.Object(
  {
    ...rewardReserves,
    market: describe(AddressString, 'Address of the lending market'),
    rewardToken: describe(AddressString, 'Mint of the reward token'),
    lastCalculated: describe(IsoInstant, 'Time of the sums over all loans, UTC'),
    apy: describe(
      DecimalString,
      'Yearly reward divided by the value of the positions, not compounded, as a fraction',
    ),
    tokensPerSecond: describe(
      DecimalString,
      'Reward for all positions together, in whole tokens per second',
    ),
    activePositionsUsd: describe(DecimalString, 'Value of the rewarded positions in USD'),
  },
  { title: 'LendingReward' },
);

export const listLendingRewards: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);
  const eligibilityOf = seasonEligibilityCache(context);

  app.get(
    '/klend/rewards',
    defineOperation(
      {
        operationId: 'listLendingRewards',
        tag: 'lending',
        summary: 'Season rewards for loans',
        description: `Rewards for a deposit, for a debt, or for a loan with both. Sums over all loans are as of lastCalculated. ${SEASON_RATES_DESCRIPTION}`,
        weight: 5,
        statuses: [400, 500],
        dependsOn: [...LOAN_DEPENDENCIES, 'farm'],
      },
      { querystring: SeasonQuery, response: Type.Array(LendingReward) },
    ),
    async ({ query }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const season = findSeason(cluster.registry.seasons, query.source);
      if (season === undefined) return [];
      const pricing = trackPrices(pricingOf(cluster));
      const { lendingRewards, unix, omissions, priceAges } = eligibilityOf(cluster, season);
      const lastCalculated = formatIsoInstant(unix);
      const rows = lendingRewards.map((reward) => ({
        ...lendingRewardJson(reward, season, pricing),
        lastCalculated,
      }));
      setPriceHeaders(reply, pricing, omissions);
      setStalePricesHeader(reply, [...priceAges, ...pricing.priceAges()]);
      return rows;
    },
  );
};

function lendingRewardJson(
  { target, market, rewardToken, rewards, eligibleUsd }: EligibleLendingReward,
  season: Season,
  pricing: VaultViewContext,
): Omit<Static<typeof LendingReward>, 'lastCalculated'> {
  const rate = viewSeasonRate(
    rewards,
    seasonRateInput({ season, rewardToken }, pricing, eligibleUsd),
  );
  return {
    ...rewardReservesJson(target),
    market,
    rewardToken,
    apy: formatLiveRatio(rate.apy),
    tokensPerSecond: formatLiveRatio(rate.tokensPerSecond),
    activePositionsUsd: formatLiveRatio(rate.eligibleUsd),
  };
}
