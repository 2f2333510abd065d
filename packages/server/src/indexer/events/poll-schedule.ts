import type { Address } from '@tidegate/core/base';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import { DebouncedTrigger } from './debounced-trigger.ts';
import { LogAnnouncements } from './log-announcements.ts';

export type PollTiming = {
  /** Longest time between two polls. */
  readonly pollMs: number;
  /** The same while log notifications are reliable and the last poll found nothing new. */
  readonly announcedPollMs: number;
};

export type PollResult = {
  /** Transactions that were not recorded before. */
  readonly added: number;
  /** Whether the node returned every listed transaction. */
  readonly isComplete: boolean;
};

type PollScheduleOptions = {
  readonly source: Pick<ChainSource, 'subscribe'>;
  readonly programs: readonly Address[];
  readonly timing: PollTiming;
};

/**
 * When to poll: after log notifications, and regularly for what they do not announce. Nodes may list a transaction later
 * than they announce it, so polls stay frequent until one finds nothing.
 */
export class PollSchedule {
  readonly #timing: PollTiming;
  readonly #announcements: LogAnnouncements;
  readonly #trigger = new DebouncedTrigger();
  #isFired = true;
  #isLongWait = false;

  constructor({ source, programs, timing }: PollScheduleOptions) {
    this.#timing = timing;
    this.#announcements = new LogAnnouncements({ source, programs, onNews: () => this.fire() });
  }

  get isStopped(): boolean {
    return this.#trigger.isStopped;
  }

  start(): void {
    this.#announcements.start();
  }

  stop(): void {
    this.#announcements.stop();
    this.#trigger.stop();
  }

  /** Ends the current wait after a poll, or the next one. */
  fire(): void {
    this.#trigger.fire();
  }

  async waitAfter({ added, isComplete }: PollResult): Promise<void> {
    if (added > 0 && this.#isLongWait && !this.#isFired) this.#announcements.reportMissed();
    const isQuiet = added === 0 && isComplete && !this.#isFired;
    this.#isLongWait = isQuiet && this.#announcements.isReliable;
    const { pollMs, announcedPollMs } = this.#timing;
    this.#isFired = await this.#trigger.waitAtMost(this.#isLongWait ? announcedPollMs : pollMs);
  }

  /** Notifications do not end this wait. */
  async waitAfterFailure(ms: number): Promise<void> {
    this.#isLongWait = false;
    await this.#trigger.waitFor(ms);
  }
}
