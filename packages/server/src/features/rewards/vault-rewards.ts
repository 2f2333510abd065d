import {
  findSeason,
  groupSeasonRewards,
  isVaultRewardGroup,
  type Season,
  viewVaultSeasonRates,
} from '@tidegate/core/views/rewards';
import { snapshotVault, type VaultViewContext } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { Feature } from '../feature-context.ts';
import { vaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { SeasonQuery } from '../season-query/season-query.ts';
import { SEASON_RATES_DESCRIPTION } from './reward-schemas.ts';

const VaultReward = Type.Object(
  {
    kvault: AddressString,
    rewardToken: AddressString,
    lastCalculated: IsoInstant,
    apy: DecimalString,
    tokensPerSecond: DecimalString,
  },
  { title: 'VaultReward' },
);

export const listVaultRewards: Feature = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/rewards',
    defineOperation(
      {
        operationId: 'listVaultRewards',
        tag: 'earn',
        summary: 'Season rewards for vault shares',
        description: `Grouped by vault, then by token. ${SEASON_RATES_DESCRIPTION}`,
        weight: 2,
        statuses: [400, 500],
        cacheVersion: () => clusters.version(),
      },
      { querystring: SeasonQuery, response: Type.Array(VaultReward) },
    ),
    async ({ query }) => {
      const cluster = clusters.requireLoaded(undefined);
      const season = findSeason(cluster.registry.seasons, query.source);
      return season === undefined ? [] : vaultRewardsJson(cluster, season, pricingOf(cluster));
    },
  );
};

/** Omits vaults without a snapshot. */
function vaultRewardsJson(
  { reader }: Cluster,
  season: Season,
  pricing: VaultViewContext,
): Static<typeof VaultReward>[] {
  const vaultRewards = groupSeasonRewards(season).filter(isVaultRewardGroup);
  const addresses = new Set(vaultRewards.map(({ target }) => target.vault));
  const lastCalculated = formatIsoInstant(pricing.at.unix);
  return [...addresses].flatMap((address) => {
    const vault = address && reader.vault(address);
    const snapshot = vault && snapshotVault(vault, pricing);
    if (snapshot === undefined) return [];
    return viewVaultSeasonRates(snapshot, season, pricing).map(
      ({ rewardToken, apy, tokensPerSecond }) => ({
        kvault: snapshot.address,
        rewardToken,
        lastCalculated,
        apy: formatLiveRatio(apy),
        tokensPerSecond: formatLiveRatio(tokensPerSecond),
      }),
    );
  });
}
