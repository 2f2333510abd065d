/** Exponential backoff with jitter. */
export type BackoffOptions = {
  /** Longest pause after the first failure. */
  readonly firstMs: number;
  /** Longest pause of all. */
  readonly maxMs?: number;
  /** Returns a number in `[0, 1)`. */
  readonly random: () => number;
};

const DEFAULT_MAX_MS = 30_000;
/** Keeps the power of two finite. */
const MAX_DOUBLINGS = 30;

/**
 * The pause before the next attempt; `failures` counts the failures before the last one. The upper bound doubles with
 * each failure. The pause is a random half to whole of the bound, so that clients do not retry in step.
 */
export function backoffMs(
  { firstMs, maxMs = DEFAULT_MAX_MS, random }: BackoffOptions,
  failures: number,
): number {
  const bound = Math.min(maxMs, firstMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
  return bound / 2 + (bound / 2) * random();
}

export type RetryOptions = BackoffOptions & {
  /** `failures` includes this one. */
  readonly shouldRetry: (error: unknown, failures: number) => boolean;
  /** Called before each pause. */
  readonly onRetry?: (error: unknown, pauseMs: number) => void;
  /** Shortest pause after this error, such as a server's `retry-after`. */
  readonly minPauseMs?: (error: unknown) => number;
  readonly sleep: (ms: number) => Promise<void>;
};

/** Repeats an attempt until it succeeds. Throws the first error that is not to be retried. */
export async function retry<Value>(
  attempt: () => Promise<Value>,
  options: RetryOptions,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!options.shouldRetry(error, failures + 1)) throw error;
      const pauseMs = Math.max(backoffMs(options, failures), options.minPauseMs?.(error) ?? 0);
      options.onRetry?.(error, pauseMs);
      await options.sleep(pauseMs);
    }
  }
}

/** Returns early, without an error, when `signal` is aborted. Does not keep the process alive. */
export function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener('abort', end, { once: true });
  });
}
