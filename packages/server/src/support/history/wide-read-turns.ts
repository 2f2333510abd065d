import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn to compute or encode a part of a wide response. One part is made in each iteration of the event loop,
 * so that many wide reads delay a short one by the time of one part.
 */
export function waitForTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
