import type { VaultMetricsPoint } from '@tidegate/client';
import { divide, sum } from '../../format/decimal.ts';

const DAY_MS = 86_400_000;

/** The mean of the rates that a vault had at each time of a window. */
export type MeanRate = {
  /** Undefined if nothing is recorded. */
  readonly rate: string | undefined;
  /** Whether the record does not reach back to the start of the window. */
  readonly isEstimated: boolean;
};

/** `points` are ascending and at equal distances. */
export function meanSpotRate(
  points: readonly VaultMetricsPoint[],
  { now, days }: { readonly now: number; readonly days: number },
): MeanRate {
  const start = now - days * DAY_MS;
  const inside = points.filter(({ timestamp }) => Date.parse(timestamp) >= start);
  const first = Date.parse(inside[0]?.timestamp ?? '');
  const [, second = inside[0]] = inside;
  const step = second === undefined ? 0 : Date.parse(second.timestamp) - first;
  return {
    rate: divide(sum(inside.map(({ apy }) => apy)), String(inside.length)),
    isEstimated: first - start > Math.max(step, 0),
  };
}
