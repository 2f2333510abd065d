import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs one expensive call at a time, each from a new turn of the event loop: between two of them slots close and other
 * connections are served.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      await nextTurn();
      return work();
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}
