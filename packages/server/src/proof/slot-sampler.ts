export type SlotSamplerOptions = {
  /** Percent of one core. */
  readonly percent: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
};

/** CPU time that is not used is saved for at most this time. */
const SAVED_MS = 60_000;

/**
 * Chooses the slots that are observed within a budget of CPU time. It decides before anything is known of a slot, so what
 * happens in a slot does not decide whether it is in the sample, and a slot outside of it costs nothing. Slots are chosen
 * in periods, because a replay needs the accounts from before its slot: a period lasts until the budget is used up, and the
 * next one begins after a random part of it has been saved again.
 */
export class SlotSampler {
  readonly #options: SlotSamplerOptions;
  readonly #capacityMs: number;
  #leftMs: number;
  /** What must be saved before the next period; undefined within a period. */
  #neededMs: number | undefined;
  #at: number;

  constructor(options: SlotSamplerOptions) {
    this.#options = options;
    this.#capacityMs = (options.percent / 100) * SAVED_MS;
    this.#leftMs = this.#capacityMs;
    this.#at = options.clock();
  }

  /** Whether the slots from now on are observed. */
  isOpen(): boolean {
    this.#refill();
    if (this.#leftMs <= 0) {
      this.#neededMs ??= (this.#capacityMs * (1 + this.#options.random())) / 2;
    } else if (this.#neededMs !== undefined && this.#leftMs >= this.#neededMs) {
      this.#neededMs = undefined;
    }
    return this.#neededMs === undefined;
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
