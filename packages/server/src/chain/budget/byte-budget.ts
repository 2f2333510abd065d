import { sleepUnlessAborted } from '../retry.ts';

export type ByteBudgetOptions = {
  readonly bytesPerDay: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

const DAY_MS = 86_400_000;
const MAX_PAUSE_MS = 10_000;

/** Bytes of one UTC day. Counted in memory, so a restart begins with the whole budget. */
export class ByteBudget {
  readonly bytesPerDay: number;
  readonly #clock: () => number;
  #day: number;
  #used = 0;

  constructor({ bytesPerDay, clock }: ByteBudgetOptions) {
    this.bytesPerDay = bytesPerDay;
    this.#clock = clock;
    this.#day = dayOf(clock());
  }

  get left(): number {
    this.#beginDay();
    return Math.max(0, this.bytesPerDay - this.#used);
  }

  /** Seconds until the next day begins. */
  get secondsToNextDay(): number {
    return Math.ceil((DAY_MS - (this.#clock() % DAY_MS)) / 1000);
  }

  add(bytes: number): void {
    this.#beginDay();
    this.#used += bytes;
  }

  /**
   * Waits until less is used than the part of the day that has passed: what is loaded in the background must leave enough
   * for the rest of the day.
   */
  async waitForPace(signal: AbortSignal): Promise<void> {
    for (let ms = this.#msToPace(); ms > 0 && !signal.aborted; ms = this.#msToPace()) {
      await sleepUnlessAborted(Math.min(ms, MAX_PAUSE_MS), signal);
    }
  }

  #msToPace(): number {
    this.#beginDay();
    const dueMs = (this.#used / this.bytesPerDay) * DAY_MS;
    return Math.max(0, dueMs - (this.#clock() % DAY_MS));
  }

  #beginDay(): void {
    const day = dayOf(this.#clock());
    if (day === this.#day) return;
    this.#day = day;
    this.#used = 0;
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
