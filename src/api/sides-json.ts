import type { Address } from '../base/address.ts';
import type { SeasonSides } from '../views/season-lines.ts';

type SidesJson = {
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
};

/** A side that a reward does not ask for is null. */
export const sidesJson = ({ depositReserve, borrowReserve }: SeasonSides): SidesJson => ({
  depositReserve: depositReserve ?? null,
  borrowReserve: borrowReserve ?? null,
});
