/** Waits, or returns false as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isComplete: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(isComplete);
    };
    const onAbort = (): void => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A signal that is aborted with another one, or when a time has passed. */
export type Deadline = {
  readonly signal: AbortSignal;
  readonly hasPassed: () => boolean;
  /** The time starts again. */
  readonly restart: () => void;
  /** Aborts the signal, so that what uses it ends. */
  readonly abort: () => void;
  /** Releases the timer and the other signal. */
  readonly release: () => void;
};

export function createDeadline(ms: number, other: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let hasPassed = false;
  const onTime = (): void => {
    hasPassed = true;
    controller.abort();
  };
  const onAbort = (): void => controller.abort();
  let timer = setTimeout(onTime, ms);
  if (other?.aborted) controller.abort();
  else other?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => hasPassed,
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(onTime, ms);
    },
    abort: onAbort,
    release: () => {
      clearTimeout(timer);
      other?.removeEventListener('abort', onAbort);
    },
  };
}
