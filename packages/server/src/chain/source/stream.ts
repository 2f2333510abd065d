import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import type { AccountUpdate, SubscriptionTarget, TransactionNotice } from './chain-source.ts';

export type AccountsTarget = Exclude<
  SubscriptionTarget,
  { readonly kind: 'slots' | 'logs' | 'transactions' }
>;

export type StreamListener = {
  /** Every update up to and including this slot has been delivered. */
  onSlot(slot: Slot, unix: UnixSeconds | undefined): void;
  /** The slot was abandoned by the cluster: what was delivered for it is void. */
  onSlotDead?(slot: Slot): void;
  /** Called once, as the last call. Not called after `close`. */
  onClosed(reason: string): void;
};

/** One live connection. Does not reconnect. */
export type Stream = {
  /** Resolves to an unsubscribe function when updates arrive. Rejects with SOURCE_REFUSES if the endpoint does not support it. */
  subscribe(target: AccountsTarget, onUpdate: (update: AccountUpdate) => void): Promise<() => void>;
  /** Announces transactions that mention the address. */
  subscribeLogs(
    mentions: Address,
    onLogs: (notice: TransactionNotice) => void,
  ): Promise<() => void>;
  close(): void;
};

/** An endpoint that sends updates. */
export type StreamSource = {
  readonly name: string;
  open(listener: StreamListener): Promise<Stream>;
};
