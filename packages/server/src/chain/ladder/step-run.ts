import type { Slot } from '@tidegate/core/base';
import type {
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
} from '../source/chain-source.ts';
import type { StreamStatus } from '../streams/reconnecting-stream.ts';
import type { StepSignals } from './source-ladder.ts';

/** Updates of one step. Reports gaps of its own. */
export type UpdateStream = {
  subscribe(target: SubscriptionTarget, listener: SubscriptionListener): Subscription;
  /** Empty if it has no connections. */
  status(): readonly StreamStatus[];
  close(): void;
};

/** A subscription that moves from step to step. */
export type LadderSubscription = {
  readonly target: SubscriptionTarget;
  readonly listener: SubscriptionListener;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Whether a step has ever confirmed it. */
  isLive: boolean;
  isStopped: boolean;
};

type StepRunOptions = {
  readonly now: () => number;
  readonly newestSlot: () => Slot | undefined;
  /** Whether its slots are watched. */
  readonly isWatched: boolean;
  /** Whether updates are delivered. */
  readonly isActive: () => boolean;
  readonly onConfirmed: (subscription: LadderSubscription) => void;
  readonly onRejected: (subscription: LadderSubscription, error: unknown) => void;
};

type Attachment = {
  readonly inner: Subscription;
  readonly since: number;
  isConfirmed: boolean;
};

/** A step from its opening until it is left: its stream, the subscriptions on it, and its signals. */
export class StepRun {
  readonly #stream: UpdateStream;
  readonly #options: StepRunOptions;
  readonly #openedAt: number;
  readonly #attachments = new Map<LadderSubscription, Attachment>();
  #slotAt: number | undefined;
  #slot: Slot | undefined;
  #deliveredSlot: Slot | undefined;
  #isClosed = false;

  constructor(stream: UpdateStream, options: StepRunOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#openedAt = options.now();
    if (options.isWatched) this.#watchSlots();
  }

  /** Whether all subscriptions are confirmed and slots arrive. */
  get isComplete(): boolean {
    const isConfirmed = [...this.#attachments.values()].every((each) => each.isConfirmed);
    return isConfirmed && this.#slotAt !== undefined;
  }

  /** The last slot that it announced to a subscription. */
  get deliveredSlot(): Slot | undefined {
    return this.#deliveredSlot;
  }

  attach(subscription: LadderSubscription): void {
    const { listener, target } = subscription;
    const isDelivered = () =>
      !this.#isClosed && !subscription.isStopped && this.#options.isActive();
    const inner = this.#stream.subscribe(target, {
      onAccount: (update) => isDelivered() && listener.onAccount(update),
      onSlot: (slot, unix) => {
        if (!isDelivered()) return;
        this.#deliveredSlot = slot;
        listener.onSlot(slot, unix);
      },
      onLogs: (notice) => isDelivered() && listener.onLogs?.(notice),
      onTransaction: (transaction) => isDelivered() && listener.onTransaction?.(transaction),
      onSlotDead: (slot) => isDelivered() && listener.onSlotDead?.(slot),
      onGap: (reason) => isDelivered() && listener.onGap(reason),
    });
    const attachment: Attachment = { inner, since: this.#options.now(), isConfirmed: false };
    this.#attachments.set(subscription, attachment);
    inner.ready.then(
      () => {
        attachment.isConfirmed = true;
        if (!this.#isClosed) this.#options.onConfirmed(subscription);
      },
      (error: unknown) => {
        this.#attachments.delete(subscription);
        if (!this.#isClosed && !subscription.isStopped) {
          this.#options.onRejected(subscription, error);
        }
      },
    );
  }

  sendsUpdates(subscription: LadderSubscription): boolean {
    return this.#attachments.get(subscription)?.inner.sendsUpdates?.() ?? true;
  }

  isPolled(subscription: LadderSubscription): boolean {
    return this.#attachments.get(subscription)?.inner.isPolled?.() ?? false;
  }

  detach(subscription: LadderSubscription): void {
    this.#attachments.get(subscription)?.inner.stop();
    this.#attachments.delete(subscription);
  }

  signals(): StepSignals {
    this.#slot ??= this.#options.newestSlot();
    const waiting = [...this.#attachments.values()].filter(({ isConfirmed }) => !isConfirmed);
    const endpoints = this.#stream.status();
    return {
      openedAt: this.#openedAt,
      slotAt: this.#slotAt,
      slot: this.#slot,
      isConnected: endpoints.some(({ connected }) => connected),
      lastError: endpoints.findLast(({ lastError }) => lastError !== undefined)?.lastError,
      unconfirmedSince:
        waiting.length === 0 ? undefined : Math.min(...waiting.map(({ since }) => since)),
    };
  }

  status(): readonly StreamStatus[] {
    return this.#stream.status();
  }

  close(): void {
    this.#isClosed = true;
    for (const { inner } of this.#attachments.values()) inner.stop();
    this.#attachments.clear();
    this.#stream.close();
  }

  #watchSlots(): void {
    this.#stream.subscribe(
      { kind: 'slots' },
      {
        onAccount: () => undefined,
        onSlot: (slot) => {
          this.#slotAt = this.#options.now();
          this.#slot = slot;
        },
        onGap: () => undefined,
      },
    );
  }
}
