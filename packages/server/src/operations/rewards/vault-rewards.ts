import type { Address } from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import {
  findSeason,
  groupSeasonRewards,
  isVaultRewardGroup,
  type Season,
  viewVaultSeasonRates,
} from '@tidegate/core/views/rewards';
import { trackPrices, type VaultViewContext } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { setPriceHeaders } from '../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import {
  requireVaultSnapshot,
  vaultPricingCache,
} from '../../support/pricing/vault-pricing-cache.ts';
import { SeasonQuery } from '../../support/schemas/season-query.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { SEASON_RATES_DESCRIPTION } from './reward-schemas.ts';

const VaultReward = Type.Object(
  {
    kvault: describe(AddressString, 'Address of the vault'),
    rewardToken: describe(AddressString, 'Mint of the reward token'),
    lastCalculated: describe(IsoInstant, 'Time of the calculation, UTC'),
    apy: describe(
      DecimalString,
      'Yearly reward divided by the value of the shares, not compounded, as a fraction',
    ),
    tokensPerSecond: describe(
      DecimalString,
      'Reward for all shares together, in whole tokens per second',
    ),
  },
  { title: 'VaultReward' },
);

export const listVaultRewards: OperationPlugin = (context) => async (app) => {
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
        dependsOn: VAULT_DEPENDENCIES,
      },
      { querystring: SeasonQuery, response: Type.Array(VaultReward) },
    ),
    async ({ query }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const season = findSeason(cluster.registry.seasons, query.source);
      if (season === undefined) return [];
      const pricing = trackPrices(pricingOf(cluster));
      const { items, omitted } = vaultRewardsJson(cluster, season, pricing);
      setPriceHeaders(reply, pricing, omitted);
      return items.flat();
    },
  );
};

/** Rows of each vault. Omits vaults that are unavailable. */
function vaultRewardsJson(cluster: Cluster, season: Season, pricing: VaultViewContext) {
  const vaultRewards = groupSeasonRewards(season).filter(isVaultRewardGroup);
  const addresses = new Set(vaultRewards.flatMap(({ target }) => target.vault ?? []));
  const lastCalculated = formatIsoInstant(pricing.at.unix);
  const known = [...addresses]
    .map((address) => ({ address }))
    .filter(({ address }) => isKnownVault(cluster, address));
  return collectAvailable(known, ({ address }): Static<typeof VaultReward>[] => {
    const vault = requireVaultSnapshot(cluster, pricing, address);
    return viewVaultSeasonRates(vault, season, pricing).map(
      ({ rewardToken, apy, tokensPerSecond }) => ({
        kvault: vault.address,
        rewardToken,
        lastCalculated,
        apy: formatLiveRatio(apy),
        tokensPerSecond: formatLiveRatio(tokensPerSecond),
      }),
    );
  });
}

const isKnownVault = ({ reader }: Cluster, address: Address): boolean =>
  reader.vault(address) !== undefined || reader.unreadable.get(address) !== undefined;
