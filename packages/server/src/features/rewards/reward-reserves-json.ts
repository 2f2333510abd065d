import type { Address } from '@tidegate/core/base';
import type { RewardTarget } from '@tidegate/core/views/rewards';

type SidesJson = {
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
};

/** A side that a reward does not ask for is null. */
export const rewardReservesJson = ({ depositReserve, borrowReserve }: RewardTarget): SidesJson => ({
  depositReserve: depositReserve ?? null,
  borrowReserve: borrowReserve ?? null,
});
