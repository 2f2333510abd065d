import type { Slot } from '../../../base/time.ts';
import type { VaultEventKind } from '../events/history-event.ts';
import { shareTradeKinds } from '../events/share-events.ts';
import type { FindDifference } from './explain-states.ts';

export type ShareEvent = {
  readonly slot: Slot;
  readonly kind: VaultEventKind;
  readonly sharesAmount: bigint | null;
};

/** The shares of a wallet in a vault, in token accounts and staked: staking moves none of them away. */
export const findShareDifference: FindDifference<bigint, ShareEvent> = (before, after, events) => {
  let shares = before.state;
  for (const { kind, sharesAmount } of events) {
    const trade = shareTradeKinds[kind];
    if (trade === 'buy') shares += sharesAmount ?? 0n;
    if (trade === 'sell') shares -= sharesAmount ?? 0n;
  }
  if (shares === after.state) return undefined;
  return `its events make ${shares} shares, its accounts have ${after.state}`;
};
