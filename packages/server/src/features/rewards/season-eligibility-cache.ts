import type { Address, Ratio, UnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
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
import type { Cluster } from '../../clusters/served-clusters.ts';
import { type FeatureContext, oncePerApp } from '../feature-context.ts';
import { type VaultPricingCache, vaultPricingCache } from '../pricing/vault-pricing-cache.ts';

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

type CacheEntry = SeasonEligibility & {
  readonly version: number;
  /** Epoch ms before which the entry is not recomputed. */
  readonly freshUntil: number;
};

export type SeasonEligibilityCache = (cluster: Cluster, season: Season) => SeasonEligibility;

/** The computation walks all loans and blocks the event loop, so it runs at most 1/51 of the time. */
const IDLE_PER_BUSY = 50;

type CacheOptions = Pick<FeatureContext, 'clock' | 'log'> & {
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
  const entriesByReader = new WeakMap<ClusterReader, WeakMap<Season, CacheEntry>>();

  function compute(cluster: Cluster, season: Season, old: CacheEntry | undefined): CacheEntry {
    const startedAt = clock();
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
    const endedAt = clock();
    return {
      lendingRewards: groups.flatMap((group, i) => {
        const market = marketOfTarget(group.target, pricing);
        const eligibleUsd = usd[i];
        return market && eligibleUsd ? [{ ...group, market, eligibleUsd }] : [];
      }),
      unix: pricing.at.unix,
      version: reader.version(),
      omissions: reserves.omitted,
      omittedLoans: omitted,
      priceAges: reserves.items,
      freshUntil: endedAt + (endedAt - startedAt) * IDLE_PER_BUSY,
    };
  }

  return (cluster, season) => {
    const { reader } = cluster;
    const entries = entriesByReader.get(reader) ?? new WeakMap<Season, CacheEntry>();
    entriesByReader.set(reader, entries);
    const old = entries.get(season);
    const isFresh =
      old !== undefined && (old.version === reader.version() || clock() < old.freshUntil);
    const entry = isFresh ? old : compute(cluster, season, old);
    entries.set(season, entry);
    return entry;
  };
}
