import { formatError, type Logger } from '@tidegate/core/base';
import { hasCode } from '../errors.ts';

type PeriodicValueOptions<Value> = {
  /** Resolves to undefined while the value is not known. */
  readonly compute: () => Promise<Value | undefined>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** What was not computed, for the log. */
  readonly name: string;
  readonly log: Logger;
};

const REFRESH_MS = 60_000;
/** While the value is not known. */
const RETRY_MS = 10_000;
/** A value is dropped if a computation takes this long. */
const MAX_AGE_MS = 300_000;

/** A value that is computed in the background, at most once a minute. Undefined if the last computation failed. */
export class PeriodicValue<Value> {
  readonly #options: PeriodicValueOptions<Value>;
  #value: Value | undefined;
  #version = 0;
  #startedAt: number | undefined;
  #isRunning = false;
  #isFailing = false;

  constructor(options: PeriodicValueOptions<Value>) {
    this.#options = options;
  }

  current = (): Value | undefined => this.#value;
  /** Increases with every computation. */
  version = (): number => this.#version;

  /** Call it often. */
  async refreshIfStale(): Promise<void> {
    const now = this.#options.clock();
    const elapsed = this.#startedAt === undefined ? Infinity : now - this.#startedAt;
    if (this.#isRunning) {
      if (elapsed > MAX_AGE_MS && this.#value !== undefined) this.#set(undefined);
      return;
    }
    if (elapsed < (this.#value === undefined ? RETRY_MS : REFRESH_MS)) return;
    this.#startedAt = now;
    this.#isRunning = true;
    this.#set(await this.#compute());
    this.#isRunning = false;
  }

  async #compute(): Promise<Value | undefined> {
    const { compute, name, log } = this.#options;
    try {
      const value = await compute();
      this.#isFailing = false;
      return value;
    } catch (error) {
      const isOutage = hasCode(error, 'HISTORY_UNAVAILABLE');
      if (!isOutage && !this.#isFailing) {
        log.warn({ reason: formatError(error) }, `${name} not computed`);
      }
      this.#isFailing = !isOutage;
      return undefined;
    }
  }

  #set(value: Value | undefined): void {
    this.#value = value;
    this.#version += 1;
  }
}
