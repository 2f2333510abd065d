import type { Interval } from '../../api/freshness.ts';

/** A part of the recorded time, in order. */
export type CoveragePart = Interval & { readonly isRecorded: boolean };

/** The gaps after the first record. */
export const gapsSince = (first: number, gaps: readonly Interval[]): Interval[] =>
  gaps.flatMap(({ from, to }) => (to > first ? [{ from: Math.max(first, from), to }] : []));

/** The time from the first record to now, split at the gaps. */
export function coverageParts(
  first: number,
  now: number,
  gaps: readonly Interval[],
): CoveragePart[] {
  const parts: CoveragePart[] = [];
  let end = first;
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const from = Math.max(end, gap.from);
    const to = Math.min(now, gap.to);
    if (to <= from) continue;
    if (from > end) parts.push({ from: end, to: from, isRecorded: true });
    parts.push({ from, to, isRecorded: false });
    end = to;
  }
  return end < now ? [...parts, { from: end, to: now, isRecorded: true }] : parts;
}

/** The recorded part of the time, from 0 to 1, rounded down to 0.01 %: a short gap is not rounded away. */
export function recordedFraction(parts: readonly CoveragePart[]): number {
  const length = (each: readonly CoveragePart[]): number =>
    each.reduce((sum, { from, to }) => sum + (to - from), 0);
  const recorded = length(parts.filter(({ isRecorded }) => isRecorded));
  return Math.floor((10_000 * recorded) / length(parts)) / 10_000;
}
