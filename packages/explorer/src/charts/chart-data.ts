import type { TimeInterval } from '@tidegate/client';
import type { NumberSource, TickUnit } from '../format/number.ts';

/** A value, or null where there is none. */
export type ChartValue = NumberSource | null;

export type ChartSeries = {
  readonly label: string;
  /** One per position of the chart. */
  readonly values: readonly ChartValue[];
  /** Number of a colour, from 1 to 6. */
  readonly color: number;
  readonly isArea?: boolean;
  /** Stretches that are estimates; drawn dashed. */
  readonly estimated?: readonly { readonly from: number; readonly to: number }[];
};

export type ChartMark = {
  /** Position on the horizontal axis. */
  readonly at: number;
  readonly label: string;
  readonly tone: 'accent' | 'danger';
};

/** The positions of a chart (milliseconds since 1970, or a fraction) and the values at each. */
export type ChartData = {
  readonly positions: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly unit: TickUnit;
};

/** A distance of more than this multiple of the usual one is a gap. The last point, which is now, can be two after the one before it. */
const GAP_STEPS = 2.5;

/**
 * Adds a position without values wherever the data has a gap, so that no line is drawn across it. A gap is a reported
 * interval that covers most of the distance of two points, or a distance that is longer than usual.
 */
export function breakAtGaps(data: ChartData, gaps: readonly TimeInterval[] = []): ChartData {
  const { positions } = data;
  const step = usualStep(positions);
  const breaks = positions.flatMap((position, index) => {
    const next = positions[index + 1];
    if (next === undefined) return [];
    const isLong = step > 0 && next - position > GAP_STEPS * step;
    const isReported = gaps.some(
      ({ fromMs, toMs }) =>
        Math.min(toMs, next) - Math.max(fromMs, position) > (next - position) / 2,
    );
    return isLong || isReported ? [{ index, position: (position + next) / 2 }] : [];
  });
  if (breaks.length === 0) return data;
  return {
    ...data,
    positions: insertAt(positions, breaks, ({ position }) => position),
    series: data.series.map((series) => ({
      ...series,
      values: insertAt<ChartValue>(series.values, breaks, () => null),
    })),
  };
}

type Break = { readonly index: number; readonly position: number };

/** The list with one more item after the index of each break. */
function insertAt<Item>(
  items: readonly Item[],
  breaks: readonly Break[],
  create: (at: Break) => Item,
): Item[] {
  const byIndex = new Map(breaks.map((each) => [each.index, each]));
  return items.flatMap((item, index) => {
    const found = byIndex.get(index);
    return found === undefined ? [item] : [item, create(found)];
  });
}

/** The median distance of two points. */
function usualStep(positions: readonly number[]): number {
  const steps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}

export const toNumber = (value: ChartValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** Sums of each series and those before it, for areas on top of each other. Null where one value is missing. */
export function stackValues(series: readonly ChartSeries[]): (number | null)[][] {
  const sums: (number | null)[][] = [];
  for (const [index, { values }] of series.entries()) {
    const below = sums[index - 1];
    sums.push(
      values.map((value, position) => {
        const own = toNumber(value);
        const base = below === undefined ? 0 : (below[position] ?? null);
        return own === null || base === null ? null : own + base;
      }),
    );
  }
  return sums;
}

/** Splits a series into its measured and its estimated stretches, which meet in one point. */
export function splitEstimated(
  positions: readonly number[],
  { values, estimated = [] }: ChartSeries,
): { readonly measured: (number | null)[]; readonly estimates: (number | null)[] } {
  const isEstimated = (index: number): boolean => {
    const position = positions[index] ?? Number.NaN;
    return estimated.some(({ from, to }) => position >= from && position < to);
  };
  return {
    measured: values.map((value, index) => (isEstimated(index) ? null : toNumber(value))),
    estimates: values.map((value, index) =>
      isEstimated(index) || isEstimated(index - 1) || isEstimated(index + 1)
        ? toNumber(value)
        : null,
    ),
  };
}

/** A comma-separated table with all digits; times in ISO 8601. */
export function toCsv({ positions, series }: ChartData, positionName: string): string {
  const header = [positionName, ...series.map(({ label }) => label)];
  const rows = positions
    .map((position, index) => [
      positionName === 'time' ? new Date(position).toISOString() : String(position),
      ...series.map(({ values }) => String(values[index] ?? '')),
    ])
    .filter(([, ...values]) => values.some((value) => value !== ''));
  return [header, ...rows].map((row) => row.map(quoteCsv).join(',')).join('\n');
}

const quoteCsv = (text: string): string =>
  /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
