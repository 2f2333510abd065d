import type { Address } from '@tidegate/core/base';
import type { SeasonSides } from '@tidegate/core/views/rewards';

type SidesJson = {
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
};

/** A side that a reward does not ask for is null. */
export const sidesJson = ({ depositReserve, borrowReserve }: SeasonSides): SidesJson => ({
  depositReserve: depositReserve ?? null,
  borrowReserve: borrowReserve ?? null,
});
