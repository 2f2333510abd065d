import { formatError, type Logger } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { AccountSubscription } from './account-subscription.ts';
import type { SlotQueue } from './slot-queue.ts';

type ResyncOptions = {
  /** In the order in which they are read: small kinds first, so that no loan is newer than its reserves. */
  readonly subscriptions: () => readonly AccountSubscription[];
  readonly queue: SlotQueue;
  readonly log: Logger;
};

/** Subscriptions that may have missed updates, until each has been read again. */
export class Resync {
  readonly #options: ResyncOptions;
  readonly #incomplete = new Set<AccountSubscription>();
  #isReading = false;
  #gaps = 0;
  #lastGap: string | undefined;

  constructor(options: ResyncOptions) {
    this.#options = options;
  }

  get isPending(): boolean {
    return this.#isReading || this.#incomplete.size > 0;
  }

  get gaps(): number {
    return this.#gaps;
  }

  get lastGap(): string | undefined {
    return this.#lastGap;
  }

  reportGap(subscription: AccountSubscription, reason: string): void {
    this.#gaps++;
    this.#lastGap = reason;
    this.#incomplete.add(subscription);
  }

  /** Resolves when every subscription was read again, or when a read failed. A failed one stays pending. */
  async run(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        await this.#reload(next);
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#options.log.warn({ error: formatError(error) }, 'resync failed');
    } finally {
      this.#isReading = false;
    }
  }

  async #reload(subscription: AccountSubscription): Promise<void> {
    this.#incomplete.delete(subscription);
    if (subscription.isStopped) return;
    try {
      // every earlier slot is incomplete
      this.#options.queue.requireSlot(await subscription.reload());
    } catch (error) {
      if (!subscription.isStopped) this.#incomplete.add(subscription);
      throw error;
    }
  }

  #next(): AccountSubscription | undefined {
    const ordered = this.#options
      .subscriptions()
      .find((subscription) => this.#incomplete.has(subscription));
    return ordered ?? [...this.#incomplete][0];
  }
}
