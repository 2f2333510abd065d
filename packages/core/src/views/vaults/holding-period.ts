import type { Slot } from '../../base/time.ts';
import type { ShareTrade } from './vault-pnl.ts';

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

/** A purchase or sale of a wallet's shares in a vault. */
export type ShareBalanceTrade = {
  /** Equal for the trades of one transaction. */
  readonly transaction: string;
  readonly kind: ShareTrade['kind'];
  /** Smallest units. */
  readonly shares: bigint;
};

/**
 * How many trades are from before the last time that a transaction left the wallet without shares. `trades` must be
 * complete and ascending, and add up to `balance`; undefined otherwise.
 */
export function countClosedTrades(
  trades: readonly ShareBalanceTrade[],
  balance: bigint,
): number | undefined {
  let held = 0n;
  let closed = 0;
  for (const [index, { kind, shares, transaction }] of trades.entries()) {
    held += kind === 'buy' ? shares : -shares;
    if (held < 0n) return undefined;
    const isLast = trades[index + 1]?.transaction !== transaction;
    if (isLast && held === 0n) closed = index + 1;
  }
  return held === balance ? closed : undefined;
}
