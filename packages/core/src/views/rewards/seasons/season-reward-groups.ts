import type { Address } from '../../../base/encoding/address.ts';
import type { Season, SeasonReward } from './season.ts';

/** The rewarded positions: shares of a vault, or loans by their deposit, their debt or both. */
export type RewardTarget = Pick<SeasonReward, 'vault' | 'depositReserve' | 'borrowReserve'>;

/** The rewards of a season in one token for one target, in any time ranges. */
export type SeasonRewardGroup = {
  readonly target: RewardTarget;
  readonly rewardToken: Address;
  readonly rewards: readonly SeasonReward[];
};

/** Sorted by target, then by token. */
export function groupSeasonRewards({
  rewards,
}: Pick<Season, 'rewards'>): readonly SeasonRewardGroup[] {
  const groups = new Map<string, SeasonReward[]>();
  for (const reward of rewards) {
    const key = `${rewardTargetKey(reward)} ${reward.rewardToken}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [reward]);
    else known.push(reward);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => (first === undefined ? [] : groupOf([first, ...others])));
}

function groupOf(rewards: readonly [SeasonReward, ...SeasonReward[]]): SeasonRewardGroup {
  const [{ vault, depositReserve, borrowReserve, rewardToken }] = rewards;
  return {
    target: {
      ...(vault && { vault }),
      ...(depositReserve && { depositReserve }),
      ...(borrowReserve && { borrowReserve }),
    },
    rewardToken,
    rewards,
  };
}

export const isVaultRewardGroup = ({ target }: Pick<SeasonRewardGroup, 'target'>): boolean =>
  target.vault !== undefined;

/** Finds a season by its source; the newest by default. */
export const findSeason = <Item extends Pick<Season, 'source'>>(
  seasons: readonly Item[],
  source: string | undefined,
): Item | undefined =>
  source === undefined ? seasons.at(-1) : seasons.find((season) => season.source === source);

/** A unique key of a target. */
export const rewardTargetKey = ({ vault, depositReserve, borrowReserve }: RewardTarget): string =>
  [vault, depositReserve, borrowReserve].map((address) => address ?? '-').join(' ');
