import { setImmediate } from 'node:timers/promises';

/** Calls of tools that are not answered yet. */
export class PendingCalls {
  readonly #calls = new Set<Promise<unknown>>();

  async track<Result>(call: Promise<Result>): Promise<Result> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Resolves when all calls that have arrived are answered and the answers are written. */
  async settled(): Promise<void> {
    // messages are read, and answers written, in steps of their own
    await setImmediate();
    while (this.#calls.size > 0) {
      await Promise.allSettled(this.#calls);
      await setImmediate();
    }
  }
}
