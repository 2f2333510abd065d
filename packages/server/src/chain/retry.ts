import { setTimeout as sleep } from 'node:timers/promises';

export type BackoffOptions = {
  readonly firstMs: number;
  readonly longestMs: number;
  /** From 0 up to 1. */
  readonly random: () => number;
};

/** Doubles with each failure; between half of it and all of it, so that many callers do not come back at once. */
export function backoffMs(
  { firstMs, longestMs, random }: BackoffOptions,
  failures: number,
): number {
  const whole = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30));
  return whole / 2 + (whole / 2) * random();
}

/** Ends early, without an error, when `signal` is aborted. Does not keep the process alive. */
export async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
