import type { TimeInterval } from '@tidegate/client';

/** A part of the recorded time, in order. */
export type CoveragePart = TimeInterval & { readonly isRecorded: boolean };

/** The gaps after the first record. */
export const gapsSince = (first: number, gaps: readonly TimeInterval[]): TimeInterval[] =>
  gaps.flatMap(({ fromMs, toMs }) =>
    toMs > first ? [{ fromMs: Math.max(first, fromMs), toMs }] : [],
  );

/** The time from the first record to now, split at the gaps. */
export function coverageParts(
  first: number,
  now: number,
  gaps: readonly TimeInterval[],
): CoveragePart[] {
  const parts: CoveragePart[] = [];
  let end = first;
  for (const gap of gaps.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const from = Math.max(end, gap.fromMs);
    const to = Math.min(now, gap.toMs);
    if (to <= from) continue;
    if (from > end) parts.push({ fromMs: end, toMs: from, isRecorded: true });
    parts.push({ fromMs: from, toMs: to, isRecorded: false });
    end = to;
  }
  return end < now ? [...parts, { fromMs: end, toMs: now, isRecorded: true }] : parts;
}

/** The recorded part of the time, from 0 to 1, rounded down to 0.01 %: a short gap is not rounded away. */
export function recordedFraction(parts: readonly CoveragePart[]): number {
  const length = (each: readonly CoveragePart[]): number =>
    each.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);
  const recorded = length(parts.filter(({ isRecorded }) => isRecorded));
  return Math.floor((10_000 * recorded) / length(parts)) / 10_000;
}
