import type { Slot } from '../../base/time.ts';

/** A wallet's shares at the end of a slot in which they changed, in smallest units. */
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
 * Whether a slot is after the last time that a wallet had no shares of a vault. `changes` must be
 * complete and ascending. Always false for a wallet without shares.
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
