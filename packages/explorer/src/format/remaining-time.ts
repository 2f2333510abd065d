/** `at` in milliseconds since 1970. */
export type ProgressSample = { readonly at: number; readonly fraction: number };

/** A shorter time says too little about the speed. */
const MIN_SPAN_MS = 3_000;

/** Milliseconds until a fraction of 1, at the mean speed between two samples; undefined while it cannot be told. */
export function estimateRemaining(
  first: ProgressSample,
  current: ProgressSample,
): number | undefined {
  const span = current.at - first.at;
  const done = current.fraction - first.fraction;
  if (span < MIN_SPAN_MS || done <= 0) return undefined;
  return ((1 - current.fraction) * span) / done;
}
