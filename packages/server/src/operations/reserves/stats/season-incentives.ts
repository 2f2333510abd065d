import { type Address, type Ratio, sumRatios } from '@tidegate/core/base';
import {
  groupSeasonRewards,
  type RewardTarget,
  type SeasonRate,
  seasonRateInput,
  viewSeasonRate,
} from '@tidegate/core/views/rewards';
import type { VaultViewContext } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { SeasonEligibilityCache } from '../../rewards/season-eligibility-cache.ts';

type SeasonIncentive = SeasonRate & {
  readonly target: RewardTarget;
  readonly rewardToken: Address;
};

/** Season rewards of the deposits and debts of a reserve. Rates are undefined if not all loans are followed. */
export type SeasonIncentives = {
  readonly supplyApr: Ratio | undefined;
  readonly borrowApr: Ratio | undefined;
  /** Rewards for loans with both a deposit and a debt. */
  readonly pairs: readonly SeasonIncentive[];
};

type SeasonSource = {
  readonly pricing: VaultViewContext;
  readonly eligibilityOf: SeasonEligibilityCache;
};

export function viewSeasonIncentives(
  cluster: Cluster,
  reserve: Address,
  { pricing, eligibilityOf }: SeasonSource,
): SeasonIncentives {
  const { unix } = pricing.at;
  const seasons = cluster.registry.seasons
    .filter(({ start, end }) => start <= unix && unix < end)
    .filter((season) =>
      groupSeasonRewards(season).some(({ target }) => isOfReserve(target, reserve)),
    );
  const isKnown = cluster.hasAllPositions?.() ?? true;
  if (seasons.length > 0 && !isKnown) {
    return { supplyApr: undefined, borrowApr: undefined, pairs: [] };
  }
  const incentives = seasons.flatMap((season) =>
    eligibilityOf(cluster, season)
      .lendingRewards.filter(({ target }) => isOfReserve(target, reserve))
      .map(({ target, rewardToken, rewards, eligibleUsd }): SeasonIncentive => {
        const input = seasonRateInput({ season, rewardToken }, pricing, eligibleUsd);
        return { target, rewardToken, ...viewSeasonRate(rewards, input) };
      }),
  );
  const aprOf = (isSelected: (target: RewardTarget) => boolean): Ratio =>
    sumRatios(incentives.filter(({ target }) => isSelected(target)).map(({ apy }) => apy));
  return {
    supplyApr: aprOf(({ borrowReserve }) => borrowReserve === undefined),
    borrowApr: aprOf(({ depositReserve }) => depositReserve === undefined),
    pairs: incentives.filter(
      ({ target: { depositReserve, borrowReserve } }) =>
        depositReserve !== undefined && borrowReserve !== undefined,
    ),
  };
}

const isOfReserve = ({ depositReserve, borrowReserve }: RewardTarget, reserve: Address): boolean =>
  depositReserve === reserve || borrowReserve === reserve;
