import type { Address, Ratio, UnixSeconds } from '@tidegate/core/base';
import {
  collectAvailable,
  type Omission,
  type PriceAge,
  reservePriceAge,
} from '@tidegate/core/views/lending';
import {
  groupSeasonRewards,
  isVaultRewardGroup,
  marketOfTarget,
  reservesOfTargets,
  type Season,
  type SeasonRewardGroup,
  sumEligibleUsd,
} from '@tidegate/core/views/rewards';
import { rarePerVersion } from '../../caching/per-version.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import {
  type VaultPricingCache,
  vaultPricingCache,
} from '../../support/pricing/vault-pricing-cache.ts';
import { type OperationContext, oncePerApp } from '../operation-context.ts';

/** Season reward for loans, with the value of all loans that earn it. */
export type EligibleLendingReward = SeasonRewardGroup & {
  readonly market: Address;
  readonly eligibleUsd: Ratio;
};

/** Omits rewards of unknown reserves. */
type SeasonEligibility = {
  readonly lendingRewards: readonly EligibleLendingReward[];
  readonly unix: UnixSeconds;
  /** Reserves of rewards that are unavailable; the loans that cannot be evaluated are only counted. */
  readonly omissions: readonly Omission[];
  readonly omittedLoans: number;
  readonly priceAges: readonly PriceAge[];
};

export type SeasonEligibilityCache = (cluster: Cluster, season: Season) => SeasonEligibility;

type CacheOptions = Pick<OperationContext, 'clock' | 'log'> & {
  readonly pricingOf: VaultPricingCache;
};

export const seasonEligibilityCache = oncePerApp((context) =>
  createSeasonEligibilityCache({
    clock: context.clock,
    log: context.log,
    pricingOf: vaultPricingCache(context),
  }),
);

function createSeasonEligibilityCache({
  clock,
  log,
  pricingOf,
}: CacheOptions): SeasonEligibilityCache {
  const eligibilityOf = rarePerVersion<SeasonEligibility>(clock);

  function compute(
    cluster: Cluster,
    season: Season,
    old: SeasonEligibility | undefined,
  ): SeasonEligibility {
    const { reader } = cluster;
    const pricing = pricingOf(cluster);
    const groups = groupSeasonRewards(season).filter((group) => !isVaultRewardGroup(group));
    const targets = groups.map(({ target }) => target);
    const { usd, omitted } = sumEligibleUsd(targets, reader, pricing);
    if (omitted > 0 && omitted !== old?.omittedLoans) {
      log.warn({ season: season.source, omitted }, 'Season figures omit some loans');
    }
    const reserves = collectAvailable(
      [...reservesOfTargets(targets)].map((address) => ({ address })),
      ({ address }) => reservePriceAge(pricing.requireReserve(address).snapshot, pricing.at.unix),
    );
    return {
      lendingRewards: groups.flatMap((group, i) => {
        const market = marketOfTarget(group.target, pricing);
        const eligibleUsd = usd[i];
        return market && eligibleUsd ? [{ ...group, market, eligibleUsd }] : [];
      }),
      unix: pricing.at.unix,
      omissions: reserves.omitted,
      omittedLoans: omitted,
      priceAges: reserves.items,
    };
  }

  return (cluster, season) =>
    eligibilityOf({
      // a season that is replaced does not stay in memory
      of: [cluster.reader, season],
      version: cluster.reader.version(),
      compute: (previous) => compute(cluster, season, previous),
    });
}
