import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import type { AccountSubscription } from './account-subscription.ts';
import type { SlotQueue } from './slot-queue.ts';

type ResyncOptions = {
  /** In the order in which they are read: small kinds first, so that no loan is newer than its reserves. */
  readonly tracks: () => readonly AccountSubscription[];
  readonly queue: SlotQueue;
  readonly log: Logger;
};

/** What may have missed updates, until all of it was read again. */
export class Resync {
  readonly #options: ResyncOptions;
  readonly #missed = new Set<AccountSubscription>();
  #isReading = false;
  #gaps = 0;
  #lastGap: string | undefined;

  constructor(options: ResyncOptions) {
    this.#options = options;
  }

  get isNeeded(): boolean {
    return this.#isReading || this.#missed.size > 0;
  }

  get gaps(): number {
    return this.#gaps;
  }

  get lastGap(): string | undefined {
    return this.#lastGap;
  }

  note(track: AccountSubscription, reason: string): void {
    this.#gaps++;
    this.#lastGap = reason;
    this.#missed.add(track);
  }

  /** Resolves when nothing is missed, or when a reading failed; what failed is still missed then. */
  async run(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        await this.#reload(next);
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#options.log.warn({ error: formatError(error) }, 'reading again failed');
    } finally {
      this.#isReading = false;
    }
  }

  async #reload(track: AccountSubscription): Promise<void> {
    this.#missed.delete(track);
    if (track.isStopped) return;
    try {
      // Until then something is missing from every slot.
      this.#options.queue.require(await track.reload());
    } catch (error) {
      if (!track.isStopped) this.#missed.add(track);
      throw error;
    }
  }

  #next(): AccountSubscription | undefined {
    const ordered = this.#options.tracks().find((track) => this.#missed.has(track));
    return ordered ?? [...this.#missed][0];
  }
}
