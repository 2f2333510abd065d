import type { Address } from '@tidegate/core/base';
import type { RewardTarget } from '@tidegate/core/views/rewards';

type RewardReserves = {
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
};

/** Null for a reserve that the reward does not require. */
export const rewardReservesJson = ({
  depositReserve,
  borrowReserve,
}: RewardTarget): RewardReserves => ({
  depositReserve: depositReserve ?? null,
  borrowReserve: borrowReserve ?? null,
});
