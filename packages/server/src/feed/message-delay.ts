/** The clocks of two machines drift apart, by up to 30 ms in this time. */
const WINDOW_MS = 600_000;

/**
 * How much longer than the fastest ones of the last minutes messages were on the way. The clocks of writer and reader have
 * different zeros, so that only differences say something: those of messages that waited in Redis are large.
 */
export class MessageDelay {
  readonly #now: () => number;
  #windowEndsAt = Number.NEGATIVE_INFINITY;
  /** Smallest differences of the clocks, in this window and in the one before. */
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** `sentMs`: by a clock of the writer that never goes back. */
  measure(sentMs: number): number {
    const now = this.#now();
    if (now >= this.#windowEndsAt) {
      this.#leastBefore = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#windowEndsAt = now + WINDOW_MS;
    }
    this.#least = Math.min(this.#least, now - sentMs);
    return now - sentMs - Math.min(this.#least, this.#leastBefore);
  }
}
