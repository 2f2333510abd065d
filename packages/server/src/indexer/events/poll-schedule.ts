import { DebouncedTrigger } from './debounced-trigger.ts';

export type PollTiming = {
  /** Time until the next poll after one that found something new, or that is incomplete. */
  readonly pollMs: number;
  /** Longest time between two polls while transactions are not announced. */
  readonly unannouncedPollMs: number;
  /** The same while they are announced. */
  readonly announcedPollMs: number;
  /** The same while the source sends whole transactions. */
  readonly streamedPollMs: number;
  /** How long announced transactions are gathered, to fetch them together. */
  readonly gatherMs: number;
  /** Shortest time between two polls because an account changed without an announced transaction. */
  readonly doubtMs: number;
  /** Shortest time between two polls that were requested. */
  readonly requestMs: number;
};

/** `poll` lists the transactions of all programs; `announced` fetches only those that were announced. */
export type FollowTask = 'poll' | 'announced';

export type RoundResult = {
  readonly task: FollowTask;
  /** Transactions that a poll found, but that were neither recorded nor announced before. */
  readonly unannounced: number;
  /** Whether nothing is left to do, nor was anything undone. */
  readonly isSettled: boolean;
};

type Announcements = {
  readonly isReliable: boolean;
  readonly isStreamed: boolean;
  reportMissed(): void;
};

type PollScheduleOptions = {
  readonly announcements: Announcements;
  readonly timing: PollTiming;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
};

/**
 * What to do next: announced transactions are fetched at once, and lists are polled for what was not announced. Nodes may
 * list a transaction later than they process it, so polls are frequent until one finds nothing.
 */
export class PollSchedule {
  readonly #options: Required<PollScheduleOptions>;
  readonly #trigger = new DebouncedTrigger();
  #polledAt = Number.NEGATIVE_INFINITY;
  #pollAt = 0;
  /** When announced transactions are to be fetched. */
  #announcedAt = Number.POSITIVE_INFINITY;
  #isPollRequested = false;
  /** Whether something changed without an announced transaction since the last poll began. */
  #isDoubtful = false;
  /** Whether the last poll was due only because of the time. */
  #wasRegular = false;

  constructor(options: PollScheduleOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  get isStopped(): boolean {
    return this.#trigger.isStopped;
  }

  stop(): void {
    this.#trigger.stop();
  }

  /** Makes the next task a poll, at once. */
  requestPoll(): void {
    this.#isPollRequested = true;
    this.#trigger.fire();
  }

  /** Announced transactions are to be fetched, in `delayMs`. */
  requestAnnounced(delayMs = this.#options.timing.gatherMs): void {
    this.#announcedAt = Math.min(this.#announcedAt, this.#options.now() + delayMs);
    this.#trigger.fire();
  }

  /** Something changed without an announced transaction. */
  noteDoubt(): void {
    this.#isDoubtful = true;
    this.#trigger.fire();
  }

  /** Waits until there is something to do. */
  async next(last: RoundResult): Promise<FollowTask> {
    if (last.task === 'poll') this.#planPoll(last);
    while (!this.isStopped) {
      const now = this.#options.now();
      const pollAt = this.#nextPollAt();
      if (pollAt <= now) return this.#beginPoll();
      if (this.#announcedAt <= now) {
        this.#announcedAt = Number.POSITIVE_INFINITY;
        return 'announced';
      }
      await this.#trigger.waitAtMost(Math.min(pollAt, this.#announcedAt) - now);
    }
    return 'poll';
  }

  /** Nothing but `stop` ends this wait. */
  async waitAfterFailure(ms: number): Promise<void> {
    this.#wasRegular = false;
    await this.#trigger.waitFor(ms);
  }

  #nextPollAt(): number {
    const { requestMs, doubtMs } = this.#options.timing;
    const requestedAt = this.#isPollRequested ? this.#polledAt + requestMs : Infinity;
    const doubtedAt = this.#isDoubtful ? this.#polledAt + doubtMs : Infinity;
    return Math.min(this.#pollAt, requestedAt, doubtedAt);
  }

  #beginPoll(): FollowTask {
    this.#wasRegular = !this.#isPollRequested;
    this.#isPollRequested = false;
    this.#isDoubtful = false;
    return 'poll';
  }

  #planPoll({ unannounced, isSettled }: RoundResult): void {
    const { announcements, timing, now } = this.#options;
    if (unannounced > 0 && this.#wasRegular) announcements.reportMissed();
    this.#polledAt = now();
    const { pollMs, unannouncedPollMs, announcedPollMs, streamedPollMs } = timing;
    const announcedMs = announcements.isStreamed ? streamedPollMs : announcedPollMs;
    const quietMs = announcements.isReliable ? announcedMs : unannouncedPollMs;
    this.#pollAt = this.#polledAt + (isSettled && unannounced === 0 ? quietMs : pollMs);
  }
}
