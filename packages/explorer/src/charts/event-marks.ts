import type { ChartMark } from './chart-data.ts';

export type ChartEvent = {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly label: string;
};

export const isLiquidation = (label: string): boolean => label.startsWith('Liquidation');

/** With more events than this, only liquidations are marked. */
const MAX_MARKS = 40;

/** Events, newest first, as marks at the first position that includes them, one mark per position. */
export function eventMarks(
  events: readonly ChartEvent[],
  positions: readonly number[],
): ChartMark[] {
  const [first] = positions;
  const shown = events.filter(
    ({ time, label }) =>
      first !== undefined && time >= first && (events.length <= MAX_MARKS || isLiquidation(label)),
  );
  const labelsAt = new Map<number, string[]>();
  for (const { time, label } of shown) {
    const at = positions.find((position) => position >= time) ?? positions.at(-1) ?? 0;
    labelsAt.set(at, [label, ...(labelsAt.get(at) ?? [])]);
  }
  return [...labelsAt].map(([at, labels]) => ({
    at,
    label: [...new Set(labels)].join(', '),
    tone: labels.some(isLiquidation) ? 'danger' : 'accent',
  }));
}
