import type { Address } from '../../../base/encoding/address.ts';
import type { Season, SeasonReward } from './season.ts';

/** Whose positions are rewarded: shares of a vault, or loans by their deposit, their debt or both. */
export type RewardTarget = Pick<SeasonReward, 'vault' | 'depositReserve' | 'borrowReserve'>;

/** What a season gives of one token for one kind of position: its rewards, one after another or at once. */
export type SeasonRewardGroup = {
  readonly sides: RewardTarget;
  readonly rewardToken: Address;
  readonly rewards: readonly SeasonReward[];
};

/** By what is rewarded, then by token. */
export function groupSeasonRewards({
  rewards,
}: Pick<Season, 'rewards'>): readonly SeasonRewardGroup[] {
  const lines = new Map<string, SeasonReward[]>();
  for (const reward of rewards) {
    const key = `${rewardTargetKey(reward)} ${reward.rewardToken}`;
    const known = lines.get(key);
    if (known === undefined) lines.set(key, [reward]);
    else known.push(reward);
  }
  return [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => (first === undefined ? [] : lineOf([first, ...others])));
}

function lineOf(rewards: readonly [SeasonReward, ...SeasonReward[]]): SeasonRewardGroup {
  const [{ vault, depositReserve, borrowReserve, rewardToken }] = rewards;
  return {
    sides: {
      ...(vault && { vault }),
      ...(depositReserve && { depositReserve }),
      ...(borrowReserve && { borrowReserve }),
    },
    rewardToken,
    rewards,
  };
}

export const isVaultRewardGroup = ({ sides }: Pick<SeasonRewardGroup, 'sides'>): boolean =>
  sides.vault !== undefined;

/** The season that is meant: the newest where none is named. */
export const findSeason = <Named extends Pick<Season, 'source'>>(
  seasons: readonly Named[],
  source: string | undefined,
): Named | undefined =>
  source === undefined ? seasons.at(-1) : seasons.find((season) => season.source === source);

/** The same for the same sides, and for no others. */
export const rewardTargetKey = ({ vault, depositReserve, borrowReserve }: RewardTarget): string =>
  [vault, depositReserve, borrowReserve].map((address) => address ?? '-').join(' ');
