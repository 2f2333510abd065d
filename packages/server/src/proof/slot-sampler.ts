export type SlotSamplerOptions = {
  /** Percent of one core. */
  readonly percent: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
};

/** What is not used is saved for so long. */
const SAVED_MS = 60_000;

/**
 * Chooses the slots that are replayed within a budget of CPU time. The choice is random and does not depend on what
 * happened in a slot, so that the sample is uniform: the less of the budget is left, the fewer slots.
 */
export class SlotSampler {
  readonly #options: SlotSamplerOptions;
  readonly #capacityMs: number;
  #leftMs: number;
  #at: number;

  constructor(options: SlotSamplerOptions) {
    this.#options = options;
    this.#capacityMs = (options.percent / 100) * SAVED_MS;
    this.#leftMs = this.#capacityMs;
    this.#at = options.clock();
  }

  accepts(): boolean {
    this.#refill();
    const isPlenty = this.#leftMs * 2 >= this.#capacityMs && this.#capacityMs > 0;
    return isPlenty || this.#options.random() * this.#capacityMs < this.#leftMs * 2;
  }

  /** Takes CPU time off the budget. */
  spend(ms: number): void {
    this.#refill();
    this.#leftMs -= ms;
  }

  #refill(): void {
    const now = this.#options.clock();
    const passed = Math.max(0, now - this.#at);
    this.#at = now;
    const earned = (passed * this.#options.percent) / 100;
    this.#leftMs = Math.min(this.#capacityMs, this.#leftMs + earned);
  }
}
