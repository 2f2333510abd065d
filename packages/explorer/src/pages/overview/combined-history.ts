import type { MarketPoint } from '@tidegate/client';
import { subtractDecimals } from '@tidegate/client';
import type { ChartData, ChartValue } from '../../charts/chart-data.ts';
import { sum } from '../../format/decimal.ts';

/** Recorded points are on full hours; the last point of a response is the current state. */
const HOUR_MS = 3_600_000;

type Totals = { readonly borrowed: string; readonly supplied: string };

/**
 * Supplied and borrowed of all markets over time. Before its first point a market counts as nothing; where a later point of
 * one market is missing, the total is not known.
 */
export function combineHistories(histories: readonly (readonly MarketPoint[])[]): ChartData {
  const markets = histories.filter((points) => points.length > 0).map(pointsByTime);
  const times = [...new Set(markets.flatMap(({ points }) => [...points.keys()]))].sort(
    (a, b) => a - b,
  );
  const totals = times.map((time) => totalAt(markets, time));
  const current = currentTotal(markets.map(({ current: point }) => point));
  if (current !== undefined) {
    times.push(current.time);
    totals.push(current.total);
  }
  const column = (value: (total: Totals) => string): ChartValue[] =>
    totals.map((total) => (total === undefined ? null : value(total)));
  return {
    positions: times,
    unit: 'usd',
    series: [
      { label: 'Borrowed', color: 2, values: column(({ borrowed }) => borrowed) },
      {
        label: 'Not borrowed',
        color: 1,
        values: column(({ borrowed, supplied }) => subtractDecimals(supplied, borrowed)),
      },
    ],
  };
}

type MarketPoints = {
  /** On full hours. */
  readonly points: ReadonlyMap<number, MarketPoint>;
  readonly first: number;
  /** The current state, between two full hours. */
  readonly current: MarketPoint | undefined;
};

function pointsByTime(history: readonly MarketPoint[]): MarketPoints {
  const entries = history.map((point) => [Date.parse(point.timestamp), point] as const);
  const recorded = entries.filter(([time]) => time % HOUR_MS === 0);
  const last = entries.at(-1);
  return {
    points: new Map(recorded),
    first: entries[0]?.[0] ?? 0,
    current: last !== undefined && last[0] % HOUR_MS !== 0 ? last[1] : undefined,
  };
}

function totalAt(markets: readonly MarketPoints[], time: number): Totals | undefined {
  const started = markets.filter(({ first }) => first <= time);
  const points = started.map((market) => market.points.get(time));
  return points.every((point) => point !== undefined) ? totalOf(points) : undefined;
}

const totalOf = (points: readonly MarketPoint[]): Totals => ({
  borrowed: sum(points.map(({ metrics }) => metrics.borrowTVL)),
  supplied: sum(points.map(({ metrics }) => metrics.depositTVL)),
});

function currentTotal(
  points: readonly (MarketPoint | undefined)[],
): { readonly time: number; readonly total: Totals } | undefined {
  const known = points.filter((point) => point !== undefined);
  if (known.length === 0 || known.length < points.length) return undefined;
  const time = Math.max(...known.map(({ timestamp }) => Date.parse(timestamp)));
  return { time, total: totalOf(known) };
}

/** Loans with a deposit or a debt in all markets now; undefined if a market has no points. */
export function countLoans(
  histories: readonly (readonly MarketPoint[] | undefined)[],
): number | undefined {
  const counts = histories.map((points) => points?.at(-1)?.metrics.obligations);
  if (counts.some((count) => count === undefined)) return undefined;
  return counts.reduce<number>((total, count = 0) => total + count, 0);
}
