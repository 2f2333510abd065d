import type { Address } from '@tidegate/core/base';
import type { ChainSource, Subscription } from '../../chain/source/chain-source.ts';

export type LogAnnouncementsOptions = {
  readonly source: Pick<ChainSource, 'subscribe'>;
  /** Programs whose transactions are announced. */
  readonly programs: readonly Address[];
  /** There may be new transactions. */
  readonly onNews: () => void;
};

/**
 * Log notifications of the programs. They are reliable while every program is subscribed and nothing shows that one was
 * missed. After a gap, the next notification shows that they arrive again.
 */
export class LogAnnouncements {
  readonly #options: LogAnnouncementsOptions;
  #subscriptions: readonly Subscription[] = [];
  #isSubscribed = false;
  #isInterrupted = false;

  constructor(options: LogAnnouncementsOptions) {
    this.#options = options;
  }

  start(): void {
    const { source, programs, onNews } = this.#options;
    const ignore = () => undefined;
    const onLogs = () => {
      this.#isInterrupted = false;
      onNews();
    };
    const onGap = () => {
      this.#isInterrupted = true;
      onNews();
    };
    const listener = { onAccount: ignore, onSlot: ignore, onLogs, onGap };
    this.#subscriptions = programs.map((mentions) =>
      source.subscribe({ kind: 'logs', mentions }, listener),
    );
    // a source without log subscriptions rejects, and stays unreliable
    Promise.all(this.#subscriptions.map(({ ready }) => ready)).then(() => {
      this.#isSubscribed = true;
    }, ignore);
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
  }

  get isReliable(): boolean {
    return this.#isSubscribed && !this.#isInterrupted;
  }

  /** A transaction was found that no notification announced. */
  reportMissed(): void {
    this.#isInterrupted = true;
  }
}
