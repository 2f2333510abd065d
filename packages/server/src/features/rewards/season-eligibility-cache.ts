import type { Address, Logger, Ratio, UnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  groupSeasonRewards,
  isVaultRewardGroup,
  marketOfTarget,
  type Season,
  type SeasonRewardGroup,
  sumEligibleUsd,
} from '@tidegate/core/views/rewards';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { VaultPricingCache } from '../pricing/vault-pricing-cache.ts';

/** Something that a season gives for loans, and what all loans are worth that have a part of it. */
export type EligibleLendingReward = SeasonRewardGroup & {
  readonly market: Address;
  readonly eligibleUsd: Ratio;
};

/** As of a time. Lines of reserves that are not known are left out. */
type Table = { readonly lines: readonly EligibleLendingReward[]; readonly unix: UnixSeconds };

type Kept = Table & {
  readonly version: number;
  readonly leftOut: number;
  /** Epoch ms before which it is not made again. */
  readonly restUntil: number;
};

export type SeasonEligibilityCache = (cluster: Cluster, season: Season) => Table;

/** One part work, so many parts rest: all loans of a market are walked, and nothing else is answered meanwhile. */
const REST_PER_WORK = 50;

type Outside = {
  readonly clock: () => number;
  readonly log: Logger;
  readonly termsOf: VaultPricingCache;
};

export function createSeasonEligibilityCache({
  clock,
  log,
  termsOf,
}: Outside): SeasonEligibilityCache {
  const made = new WeakMap<ClusterReader, WeakMap<Season, Kept>>();

  function make(cluster: Cluster, season: Season, old: Kept | undefined): Kept {
    const started = clock();
    const { reader } = cluster;
    const terms = termsOf(cluster);
    const lines = groupSeasonRewards(season).filter((line) => !isVaultRewardGroup(line));
    const sides = lines.map((line) => line.sides);
    const { usd, leftOut } = sumEligibleUsd(sides, reader, terms);
    if (leftOut > 0 && leftOut !== old?.leftOut) {
      log.warn({ season: season.source, leftOut }, 'loans left out of the season figures');
    }
    const ended = clock();
    return {
      lines: lines.flatMap((line, place) => {
        const market = marketOfTarget(line.sides, terms);
        const worth = usd[place];
        return market && worth ? [{ ...line, market, eligibleUsd: worth }] : [];
      }),
      ...{ unix: terms.at.unix, version: reader.version(), leftOut },
      restUntil: ended + (ended - started) * REST_PER_WORK,
    };
  }

  return (cluster, season) => {
    const { reader } = cluster;
    const tables = made.get(reader) ?? new WeakMap<Season, Kept>();
    made.set(reader, tables);
    const old = tables.get(season);
    const isGood =
      old !== undefined && (old.version === reader.version() || clock() < old.restUntil);
    const table = isGood ? old : make(cluster, season, old);
    tables.set(season, table);
    return table;
  };
}
