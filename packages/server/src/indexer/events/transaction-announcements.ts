import type { Address, Slot } from '@tidegate/core/base';
import type {
  ChainSource,
  StreamedTransaction,
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
  TransactionNotice,
} from '../../chain/source/chain-source.ts';

/** With the result of `getTransaction` and its position in the block, if the source sends whole transactions. */
export type AnnouncedTransaction = TransactionNotice | StreamedTransaction;

export type TransactionAnnouncementsOptions = {
  readonly source: Pick<ChainSource, 'subscribe'>;
  /** Programs whose transactions are announced. */
  readonly programs: readonly Address[];
  readonly onTransaction: (announced: AnnouncedTransaction) => void;
  readonly onFailed?: ((announced: AnnouncedTransaction) => void) | undefined;
  /** Transactions before this call may not have been announced, or are void. */
  readonly onGap: () => void;
};

/** Slots of which it is known whether transactions were announced. */
const MAX_SLOTS = 1_000;

/**
 * Transactions of the programs as the source announces them: by log notifications, or as whole transactions. They are
 * reliable while every program is subscribed and nothing shows that one was missed. After a gap, the next announcement
 * shows that they arrive again.
 */
export class TransactionAnnouncements {
  readonly #options: TransactionAnnouncementsOptions;
  readonly #listener: SubscriptionListener;
  readonly #logs: SubscribedTargets;
  readonly #stream: SubscribedTargets;
  /** The last slots with announced transactions that succeeded. */
  readonly #slots = new Set<Slot>();
  #isInterrupted = false;
  /** Whether the last announced transaction was whole. */
  #isWhole = false;

  constructor(options: TransactionAnnouncementsOptions) {
    const { source, programs, onGap } = options;
    this.#options = options;
    const ignore = () => undefined;
    this.#listener = {
      onAccount: ignore,
      onSlot: ignore,
      onLogs: (notice) => this.#add(notice),
      onTransaction: (transaction) => this.#add(transaction),
      onSlotDead: onGap,
      onGap: () => this.#onGap(),
    };
    const open = (target: SubscriptionTarget) => source.subscribe(target, this.#listener);
    const logs = programs.map((mentions) => ({ kind: 'logs', mentions }) as const);
    this.#logs = new SubscribedTargets({ targets: logs, open, onActive: onGap });
    const stream = [{ kind: 'transactions', mentions: programs } as const];
    this.#stream = new SubscribedTargets({ targets: stream, open, onActive: onGap });
  }

  start(): void {
    this.#logs.start();
    this.#stream.start();
  }

  stop(): void {
    this.#logs.stop();
    this.#stream.stop();
  }

  get isReliable(): boolean {
    return (this.#logs.isActive || this.#stream.isActive) && !this.#isInterrupted;
  }

  /** Whether the source sends whole transactions. */
  get isStreamed(): boolean {
    return this.#stream.isActive && this.#isWhole && !this.#isInterrupted;
  }

  /** Whether a transaction was announced in a slot of `(after, upTo]`. */
  hasAnnounced(after: Slot, upTo: Slot): boolean {
    return [...this.#slots].some((slot) => slot > after && slot <= upTo);
  }

  /** A transaction was found that was not announced. */
  reportMissed(): void {
    this.#isInterrupted = true;
  }

  #add(announced: AnnouncedTransaction): void {
    this.#isInterrupted = false;
    if (announced.failed) {
      this.#options.onFailed?.(announced);
      return;
    }
    this.#isWhole = 'transaction' in announced;
    this.#slots.add(announced.slot);
    const [oldest] = this.#slots;
    if (this.#slots.size > MAX_SLOTS && oldest !== undefined) this.#slots.delete(oldest);
    this.#options.onTransaction(announced);
  }

  #onGap(): void {
    this.#isInterrupted = true;
    // the source that is used now may announce what the last one did not
    this.start();
    this.#options.onGap();
  }
}

type SubscribedTargetsOptions = {
  readonly targets: readonly SubscriptionTarget[];
  readonly open: (target: SubscriptionTarget) => Subscription;
  readonly onActive: () => void;
};

/** Subscriptions that are useful only together. A source may reject them. */
class SubscribedTargets {
  readonly #options: SubscribedTargetsOptions;
  #subscriptions: readonly Subscription[] = [];
  #isActive = false;

  constructor(options: SubscribedTargetsOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Does nothing unless they were stopped or rejected. */
  start(): void {
    const { targets, open, onActive } = this.#options;
    if (this.#subscriptions.length > 0) return;
    const subscriptions = targets.map(open);
    this.#subscriptions = subscriptions;
    const isCurrent = () => this.#subscriptions === subscriptions;
    Promise.all(subscriptions.map(({ ready }) => ready)).then(
      () => {
        if (!isCurrent()) return;
        this.#isActive = true;
        onActive();
      },
      () => {
        if (isCurrent()) this.stop();
      },
    );
  }

  stop(): void {
    const subscriptions = this.#subscriptions;
    this.#subscriptions = [];
    this.#isActive = false;
    for (const subscription of subscriptions) subscription.stop();
  }
}
