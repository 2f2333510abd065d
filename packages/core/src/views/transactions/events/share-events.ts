import type { ShareTrade } from '../../vaults/vault-pnl.ts';
import type { VaultEventKind } from './history-event.ts';

/** Whether an event kind adds or removes shares of its wallet. */
export const shareTradeKinds: Readonly<Partial<Record<VaultEventKind, ShareTrade['kind']>>> = {
  deposit: 'buy',
  buy: 'buy',
  shareTransferIn: 'buy',
  withdraw: 'sell',
  sell: 'sell',
  withdrawFromAvailable: 'sell',
  redeemInKind: 'sell',
  shareTransferOut: 'sell',
  shareBurn: 'sell',
};

/**
 * Adds a purchase at the price of the sale for sold shares without a known purchase, such as a
 * received stake or shares from before the history, so that they cause neither gain nor loss.
 */
export function addMissingPurchases(events: readonly ShareTrade[]): readonly ShareTrade[] {
  let held = 0n;
  return events.flatMap((event) => {
    const { kind, shares } = event;
    if (kind === 'buy') {
      held += shares;
      return [event];
    }
    const missing = shares > held ? shares - held : 0n;
    held = held + missing - shares;
    return missing === 0n ? [event] : [{ ...event, kind: 'buy' as const, shares: missing }, event];
  });
}
