/** Calls, and the bytes that they sent and received. */
export type Traffic = { readonly calls: number; readonly bytes: number };

const SECONDS = 60;
const DAY_MS = 86_400_000;

/** Traffic of the last minute and of the UTC day, in memory. */
export class TrafficWindow {
  /** Epoch milliseconds. */
  readonly #clock: () => number;
  /** One entry per second of the last minute, by second modulo 60. */
  readonly #seconds: { second: number; calls: number; bytes: number }[] = [];
  #day = { day: 0, calls: 0, bytes: 0 };

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  add({ calls, bytes }: Traffic): void {
    const now = this.#clock();
    const second = Math.floor(now / 1000);
    const index = second % SECONDS;
    const current = this.#seconds[index];
    const entry = current?.second === second ? current : { second, calls: 0, bytes: 0 };
    entry.calls += calls;
    entry.bytes += bytes;
    this.#seconds[index] = entry;
    const day = Math.floor(now / DAY_MS);
    if (this.#day.day !== day) this.#day = { day, calls: 0, bytes: 0 };
    this.#day.calls += calls;
    this.#day.bytes += bytes;
  }

  lastMinute(): Traffic {
    const newest = Math.floor(this.#clock() / 1000);
    let [calls, bytes] = [0, 0];
    for (const each of this.#seconds) {
      if (each === undefined || each.second <= newest - SECONDS) continue;
      calls += each.calls;
      bytes += each.bytes;
    }
    return { calls, bytes };
  }

  today(): Traffic {
    const { day, calls, bytes } = this.#day;
    const isToday = day === Math.floor(this.#clock() / DAY_MS);
    return isToday ? { calls, bytes } : { calls: 0, bytes: 0 };
  }
}
