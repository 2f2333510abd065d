/** Pauses after each failed attempt, in seconds: the schedule that Standard Webhooks suggests, about three days. */
const PAUSES_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** A pause is up to this part longer, at random, so that failed deliveries do not all come back at once. */
const JITTER = 0.2;
/** A receiver cannot postpone an attempt any longer. */
const LONGEST_PAUSE_MS = 86_400_000 * (1 + JITTER);

export const MAX_ATTEMPTS: number = PAUSES_SECONDS.length + 1;

type FailedAttempt = {
  /** Attempts of this schedule so far, with the failed one. */
  readonly tries: number;
  /** What the receiver asked for in `retry-after`; 0 without it. */
  readonly retryAfterMs: number;
  /** In `[0, 1)`. */
  readonly random: number;
};

/** The pause before the next attempt in milliseconds; undefined after the last one. */
export function pauseAfterFailure({
  tries,
  retryAfterMs,
  random,
}: FailedAttempt): number | undefined {
  const seconds = PAUSES_SECONDS[tries - 1];
  if (seconds === undefined) return undefined;
  const pause = seconds * 1_000 * (1 + JITTER * random);
  return Math.round(Math.min(Math.max(pause, retryAfterMs), LONGEST_PAUSE_MS));
}

/** A hook without a successful attempt for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * 86_400_000;

/** The delay in `retry-after`, a number of seconds or a date; 0 if there is none. */
export function parseRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
