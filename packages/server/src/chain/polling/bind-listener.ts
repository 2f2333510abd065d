import type { SubscriptionListener } from '../source/chain-source.ts';

/** A new object, so that the same listener may subscribe twice. */
export function bindListener(listener: SubscriptionListener): SubscriptionListener {
  return {
    onAccount: (update) => listener.onAccount(update),
    onSlot: (slot, unix) => listener.onSlot(slot, unix),
    onGap: (reason) => listener.onGap(reason),
  };
}
