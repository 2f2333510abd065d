import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import type { AccountUpdate, SubscriptionTarget } from './chain-source.ts';

export type AccountsTarget = Exclude<SubscriptionTarget, { readonly kind: 'slots' | 'logs' }>;

export type StreamListener = {
  /** Every update up to and including this slot has been delivered. */
  onSlot(slot: Slot, unix: UnixSeconds | undefined): void;
  /** Once; nothing comes after it. Not called for `close`. */
  onClosed(reason: string): void;
};

/** One live connection. It never reconnects: whoever opened it opens another. */
export type Stream = {
  /** Resolves when updates arrive, to what ends them; SOURCE_REFUSES when the endpoint does not send these. */
  subscribe(
    followed: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void>;
  /** Of transactions that mention the address. */
  subscribeLogs(mentions: Address, onLogs: (slot: Slot) => void): Promise<() => void>;
  close(): void;
};

/** An endpoint that sends updates. */
export type StreamSource = {
  readonly name: string;
  open(events: StreamListener): Promise<Stream>;
};
