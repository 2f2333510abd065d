const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

type Counts = ReadonlyMap<string, number>;

/** Counts of outcomes in the last hour, in the last day, and since the start. */
export type WindowedCounts = {
  readonly hour: Counts;
  readonly day: Counts;
  readonly sinceStart: Counts;
};

/** Counts outcomes by minute for an hour and by hour for a day, in memory that does not grow. */
export class WindowedCounter {
  readonly #minutes = new Buckets(MINUTE_MS, MINUTES_PER_HOUR);
  readonly #hours = new Buckets(MINUTE_MS * MINUTES_PER_HOUR, HOURS_PER_DAY);
  readonly #total = new Map<string, number>();

  /** `now`: epoch milliseconds. */
  add(outcome: string, now: number, count = 1): void {
    this.#minutes.add(outcome, now, count);
    this.#hours.add(outcome, now, count);
    addTo(this.#total, outcome, count);
  }

  read(now: number): WindowedCounts {
    return {
      hour: this.#minutes.sum(now),
      day: this.#hours.sum(now),
      sinceStart: new Map(this.#total),
    };
  }
}

class Buckets {
  readonly #lengthMs: number;
  readonly #max: number;
  readonly #counts = new Map<number, Map<string, number>>();

  constructor(lengthMs: number, max: number) {
    this.#lengthMs = lengthMs;
    this.#max = max;
  }

  add(outcome: string, now: number, count: number): void {
    const bucket = Math.floor(now / this.#lengthMs);
    const counts = this.#counts.get(bucket) ?? new Map<string, number>();
    this.#counts.set(bucket, counts);
    addTo(counts, outcome, count);
    this.#drop(bucket);
  }

  sum(now: number): Counts {
    this.#drop(Math.floor(now / this.#lengthMs));
    const total = new Map<string, number>();
    for (const counts of this.#counts.values()) {
      for (const [outcome, count] of counts) addTo(total, outcome, count);
    }
    return total;
  }

  #drop(newest: number): void {
    for (const bucket of this.#counts.keys()) {
      if (bucket <= newest - this.#max) this.#counts.delete(bucket);
    }
  }
}

function addTo(counts: Map<string, number>, outcome: string, count: number): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + count);
}
