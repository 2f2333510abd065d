import { type CallPriority, callPriorities } from './call-priorities.ts';

export type CallBucketOptions = {
  readonly perSecond: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
};

type WaitingCalls = { readonly calls: number; readonly resolve: () => void };

/** The bucket holds the calls of one second. */
const BURST_SECONDS = 1;

/**
 * A token bucket for calls with priorities: waiting calls of a higher priority go first, those of one priority in order.
 * Backfill takes nothing while others wait, and leaves half of the bucket to them.
 */
export class CallBucket {
  readonly #options: CallBucketOptions;
  readonly #capacity: number;
  readonly #waiting = new Map<CallPriority, WaitingCalls[]>();
  #tokens: number;
  #filledAt: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CallBucketOptions) {
    this.#options = options;
    this.#capacity = Math.max(1, options.perSecond * BURST_SECONDS);
    this.#tokens = this.#capacity;
    this.#filledAt = options.now();
    for (const priority of callPriorities) this.#waiting.set(priority, []);
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /** Resolves when the calls may be sent. A batch counts each of its calls. */
  take(calls: number, priority: CallPriority): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.get(priority)?.push({ calls, resolve });
      this.#serve();
    });
  }

  #serve(): void {
    clearTimeout(this.#timer);
    this.#fill();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const missing = this.#needed(next.priority, next.first.calls) - this.#tokens;
      if (missing > 0) {
        const ms = Math.ceil((missing / this.#options.perSecond) * 1000);
        this.#timer = setTimeout(() => this.#serve(), ms).unref();
        return;
      }
      this.#waiting.get(next.priority)?.shift();
      this.#tokens -= next.first.calls;
      next.first.resolve();
    }
  }

  /** A batch that is larger than the bucket needs a full one, and the next calls wait until it is paid. */
  #needed(priority: CallPriority, calls: number): number {
    const reserve = priority === 'backfill' ? this.#capacity / 2 : 0;
    return Math.min(this.#capacity, calls + reserve);
  }

  #next(): { readonly priority: CallPriority; readonly first: WaitingCalls } | undefined {
    for (const [priority, [first]] of this.#waiting) {
      if (first !== undefined) return { priority, first };
    }
    return undefined;
  }

  #fill(): void {
    const now = this.#options.now();
    const added = ((now - this.#filledAt) / 1000) * this.#options.perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + added);
    this.#filledAt = now;
  }
}
