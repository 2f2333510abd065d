/** How often samples were written through a database connection of this process. */
const versions = new WeakMap<object, number>();

const versionOf = (db: object): number => versions.get(db) ?? 0;

/** Call after samples, their gaps or the time since when they are recorded have changed. */
export function invalidateSampleQueries(db: object): void {
  versions.set(db, versionOf(db) + 1);
}

/** Another process may write samples too. */
const MAX_AGE_MS = 10_000;
const MAX_ENTRIES = 2_000;

/**
 * Results of short queries about samples, which every request for history repeats. Valid until this process writes
 * samples, and for ten seconds at most.
 */
export class SampleQueryCache {
  readonly #db: object;
  readonly #clock: () => number;
  readonly #results = new Map<string, Promise<unknown>>();
  #version: number;
  #since: number;

  /** `clock` in milliseconds. */
  constructor(db: object, clock: () => number = () => performance.now()) {
    this.#db = db;
    this.#clock = clock;
    this.#version = versionOf(db);
    this.#since = clock();
  }

  /** A key stands for one query, and so for one type. */
  get<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    this.#removeOld();
    const known = this.#results.get(key);
    if (known !== undefined) return known as Promise<Value>;
    const result = read();
    this.#results.set(key, result);
    result.catch(() => {
      if (this.#results.get(key) === result) this.#results.delete(key);
    });
    return result;
  }

  #removeOld(): void {
    const version = versionOf(this.#db);
    const now = this.#clock();
    const isCurrent = version === this.#version && now - this.#since < MAX_AGE_MS;
    if (isCurrent && this.#results.size < MAX_ENTRIES) return;
    this.#results.clear();
    this.#version = version;
    this.#since = now;
  }
}
