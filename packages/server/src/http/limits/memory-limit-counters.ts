import { CallerTable } from './caller-table.ts';
import type { CounterCharge, CounterReply } from './limit-counters.ts';
import { SlidingWindow } from './sliding-window.ts';

/** Counters in the memory of one process, for others on the same machine. */
export class MemoryLimitCounters {
  readonly #windows = new CallerTable<SlidingWindow>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  charge({ caller, quota, windowSeconds, spent, cost }: CounterCharge): CounterReply {
    const now = this.#clock();
    const window = this.#windowOf(caller, windowSeconds, now);
    window.advance(now);
    if (spent > 0) window.add(spent);
    const allowed = window.total + cost <= quota;
    if (allowed && cost > 0) window.add(cost);
    return { allowed, now, slices: window.slices() };
  }

  #windowOf(caller: string, windowSeconds: number, now: number): SlidingWindow {
    const known = this.#windows.find(caller, windowSeconds);
    if (known !== undefined) return known;
    const window = new SlidingWindow(windowSeconds, now);
    this.#windows.add(caller, window, now);
    return window;
  }
}
