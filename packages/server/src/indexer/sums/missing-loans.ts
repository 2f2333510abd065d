import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';

/** Most addresses that are read because of one pass. */
const LIMIT = 1_000;
const ROWS = 32;

/**
 * Addresses of loans that stakes name and that state lacks: a node that leaves a loan out of each listing still has its stake. Only
 * a loan that exists has a stake in a farm of its reserve. `pause`: called between two parts.
 */
export async function findMissingLoans(
  state: ClusterState,
  pause: () => Promise<void>,
): Promise<readonly Address[]> {
  const missing = new Set<Address>();
  const farms = new Set(
    state
      .reserves()
      .flatMap(({ fields: { farmCollateral, farmDebt } }) => [farmCollateral, farmDebt])
      .filter((farm) => farm !== ZERO_ADDRESS),
  );
  const walk = state.walkFarmUsers({
    add({ farmState, delegatee, activeStakeScaled }) {
      if (activeStakeScaled === 0n || missing.size >= LIMIT || !farms.has(farmState)) return;
      if (state.slotOf(delegatee) === undefined) missing.add(delegatee);
    },
    remove: () => undefined,
  });
  try {
    while (!walk.isThrough) {
      walk.visit(ROWS);
      await pause();
    }
  } finally {
    walk.stop();
  }
  return [...missing];
}
