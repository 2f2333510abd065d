import {
  type Address,
  bucketStart,
  nonZeroAddress,
  type TimeRange,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  groupSeasonRewards,
  type RewardTarget,
  rewardTargetKey,
  type Season,
} from '@tidegate/core/views/rewards';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';

const EARLIEST = toUnixSeconds(0n);
const LATEST = toUnixSeconds(2n ** 62n);

export type RewardedReserves = {
  /** The reserve of the deposit; zero for a reward of debts. */
  readonly depositAddress: Address;
  readonly target: RewardTarget;
};

type PathParameters = {
  readonly depositReservePubkey: string;
  readonly borrowReservePubkey: string;
};

/** Throws if both reserves are zero. */
export function parseRewardTarget({
  depositReservePubkey,
  borrowReservePubkey,
}: PathParameters): RewardedReserves {
  const depositReserve = nonZeroAddress(toAddress(depositReservePubkey));
  const borrowReserve = nonZeroAddress(toAddress(borrowReservePubkey));
  if (depositReserve === undefined && borrowReserve === undefined) {
    const message =
      'at least one of depositReservePubkey and borrowReservePubkey must be a reserve';
    const issue = { path: ['depositReservePubkey'], code: 'custom', message };
    throw new CodedError('INVALID_PATH', { issues: [issue] });
  }
  return {
    depositAddress: toAddress(depositReservePubkey),
    target: { ...(depositReserve && { depositReserve }), ...(borrowReserve && { borrowReserve }) },
  };
}

export const isSameTarget = (a: RewardTarget, b: RewardTarget): boolean =>
  rewardTargetKey(a) === rewardTargetKey(b);

/** The seasons that reward the reserves. */
export const seasonsOf = ({ registry }: Cluster, { target }: RewardedReserves): readonly Season[] =>
  registry.seasons.filter((season) =>
    groupSeasonRewards(season).some((group) => isSameTarget(group.target, target)),
  );

type RewardedTime = {
  readonly cluster: Cluster;
  readonly subject: RewardedReserves;
  readonly now: UnixSeconds;
};

/** From the start of the first season to the end of the last one. The rate at a time is known when the time has come. */
export function rewardedTime({ cluster, subject, now }: RewardedTime): TimeRange {
  const { start, end } = spanOf(seasonsOf(cluster, subject));
  const present = toUnixSeconds(now + 1n);
  return { start, end: end < present ? end : present };
}

const spanOf = (seasons: readonly Season[]): TimeRange =>
  seasons.reduce<TimeRange>(
    (span, { start, end }) => ({
      start: start < span.start ? bucketStart(start, 'day') : span.start,
      end: end > span.end ? end : span.end,
    }),
    { start: LATEST, end: EARLIEST },
  );
