import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import type {
  AccountUpdate,
  StreamedTransaction,
  SubscriptionTarget,
  TransactionNotice,
} from './chain-source.ts';

export type AccountsTarget = Extract<SubscriptionTarget, { readonly kind: 'program' | 'accounts' }>;

export type StreamListener = {
  /** Every update up to and including this slot has been delivered. */
  onSlot(slot: Slot, unix: UnixSeconds | undefined): void;
  /** The slot was abandoned after updates of it were delivered. */
  onSlotDead?(slot: Slot): void;
  /** Updates may have been missed; the connection stays. */
  onGap?(reason: string): void;
  /** Called once, as the last call. Not called after `close`. */
  onClosed(reason: string): void;
};

/** What a stream delivered, for a later one that continues after it. */
export type ResumePoint = {
  /** Everything up to this slot was delivered. */
  readonly slot: Slot;
  /** Keys of the updates that were delivered, by recent slot. */
  readonly delivered: ReadonlyMap<Slot, ReadonlySet<string>>;
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
  /** Delivers transactions that mention one of the addresses. */
  subscribeTransactions(
    mentions: readonly Address[],
    onTransaction: (transaction: StreamedTransaction) => void,
  ): Promise<() => void>;
  /** Whether it continues after an earlier stream, so that active subscriptions miss nothing. */
  readonly isResumed?: boolean;
  /** Where another stream can continue. Undefined if nothing was delivered or the endpoint cannot continue. */
  resumePoint?(): ResumePoint | undefined;
  close(): void;
};

/** An endpoint that sends updates. */
export type StreamSource = {
  readonly name: string;
  /** `resume`: continues there if the endpoint can. */
  open(listener: StreamListener, resume?: ResumePoint): Promise<Stream>;
};
