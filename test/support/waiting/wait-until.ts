import { setTimeout as sleep } from 'node:timers/promises';

/** The limit of all waits of tests, as of `expect.poll` in vitest.config.ts: against a test that hangs, not a measurement. */
export const WAIT_LIMIT_MS = 120_000;
const INTERVAL_MS = 20;

type Unmet = false | undefined;

/** Waits until the condition is met and returns its value. `description` says what was waited for. */
export async function waitUntil<Value>(
  condition: () => Value | Unmet | Promise<Value | Unmet>,
  description: string,
  intervalMs = INTERVAL_MS,
): Promise<Value> {
  for (let waitedMs = 0; ; waitedMs += intervalMs) {
    const value = await condition();
    if (value !== false && value !== undefined) return value;
    if (waitedMs >= WAIT_LIMIT_MS)
      throw new Error(`not within ${WAIT_LIMIT_MS / 1_000} s: ${description}`);
    await sleep(intervalMs);
  }
}
