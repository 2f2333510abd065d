import type { ShareTrade } from '../../vaults/vault-pnl.ts';
import type { VaultEventKind } from './history-event.ts';

/** What each kind of event does to the shares of its wallet; nothing where it is left out. */
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
 * A wallet can sell no more than it has: what it had without a known purchase, such as a stake that somebody gave
 * it or shares from before history began, counts as bought when it is sold, so that it makes neither gain nor loss.
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
