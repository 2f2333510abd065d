/** `at` in milliseconds since 1970. */
export type ProgressSample = { readonly at: number; readonly percent: number };

/** A shorter time says too little about the speed. */
const MIN_SPAN_MS = 3_000;

/** Milliseconds until 100 %, at the mean speed between two samples; undefined while it cannot be told. */
export function estimateRemaining(
  first: ProgressSample,
  current: ProgressSample,
): number | undefined {
  const span = current.at - first.at;
  const done = current.percent - first.percent;
  if (span < MIN_SPAN_MS || done <= 0) return undefined;
  return ((100 - current.percent) * span) / done;
}
