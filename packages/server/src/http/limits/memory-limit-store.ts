import { CallerTable } from './caller-table.ts';
import type { RateLimitPolicy, RateLimitResult, RateLimitStore } from './rate-limit.ts';
import { SlidingWindow } from './sliding-window.ts';

/** Limits of one process: a caller never spends more than the quota in any `windowSeconds`. */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #windows: CallerTable<SlidingWindow>;
  readonly #clock: () => number;

  constructor(clock: () => number, maxCallers?: number) {
    this.#clock = clock;
    this.#windows = new CallerTable(maxCallers);
  }

  get callers(): number {
    return this.#windows.size;
  }

  /** A call that costs more than the quota is allowed if the window is empty. */
  take(caller: string, cost: number, { quota, windowSeconds }: RateLimitPolicy): RateLimitResult {
    const now = this.#clock();
    const window = this.#windowOf(caller, windowSeconds, now);
    window.advance(now);
    const charge = Math.min(cost, quota);
    const allowed = window.total + charge <= quota;
    if (allowed) window.add(charge);
    const needed = allowed ? 0 : window.total + charge - quota;
    const resetSeconds = window.secondsUntilFreed(now, needed);
    return { allowed, remaining: quota - window.total, resetSeconds };
  }

  #windowOf(caller: string, windowSeconds: number, now: number): SlidingWindow {
    const known = this.#windows.find(caller, windowSeconds);
    if (known !== undefined) return known;
    const window = new SlidingWindow(windowSeconds, now);
    this.#windows.add(caller, window, now);
    return window;
  }
}
