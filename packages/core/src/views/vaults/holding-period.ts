import type { Slot } from '../../base/time.ts';

/** At the end of a slot in which they changed: shares of a wallet in smallest units, staked ones apart. */
export type ShareBalanceChange = {
  readonly slot: Slot;
  readonly held: bigint;
  readonly staked: bigint;
};

export const totalShares = ({
  held,
  staked,
}: Pick<ShareBalanceChange, 'held' | 'staked'>): bigint => held + staked;

/**
 * Whether a slot belongs to the time since a wallet last had no shares of a vault. Changes ascend and are all
 * there are; nothing does where there are no shares now.
 */
export function isInCurrentHoldingPeriod(
  changes: readonly ShareBalanceChange[],
): (slot: Slot) => boolean {
  const last = changes.at(-1);
  if (last === undefined || totalShares(last) === 0n) return () => false;
  const empty = changes.findLast((change) => totalShares(change) === 0n);
  if (empty === undefined) return () => true;
  return (slot) => slot > empty.slot;
}
