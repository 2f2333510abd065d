import type uPlot from 'uplot';
import { formatTick } from '../format/number.ts';
import { formatTimeTick } from '../format/time.ts';
import { type Palette, withOpacity } from './canvas-colors.ts';
import {
  type ChartData,
  type ChartMark,
  type ChartSeries,
  splitEstimated,
  stackValues,
  toNumber,
} from './chart-data.ts';
import { closeRange } from './value-range.ts';

export type PlotInput = {
  readonly data: ChartData;
  readonly isTime: boolean;
  readonly isStacked: boolean;
  readonly marks: readonly ChartMark[];
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
  /** Called with the index of the position under the crosshair, or null. */
  readonly onHover: (index: number | null) => void;
  /** Called with the brushed part of the axis, or undefined on a double click. */
  readonly onZoom: (range: { readonly from: number; readonly to: number } | undefined) => void;
  /** Called when the plot is on the canvas. */
  readonly onDraw: () => void;
};

const FONT = '12px system-ui, sans-serif';
const AREA_OPACITY = 0.28;
const DASH = [4, 4];
/** uPlot has times in seconds. */
const scaleOf = (isTime: boolean): number => (isTime ? 1000 : 1);

/** The columns of the plot: positions, then measured and estimated values of each series. */
export function plotData({ data, isTime, isStacked }: PlotInput): uPlot.AlignedData {
  const positions = data.positions.map((position) => position / scaleOf(isTime));
  if (isStacked) return [positions, ...stackValues(data.series)];
  const columns = data.series.flatMap((series) => {
    if (series.estimated === undefined) return [series.values.map(toNumber)];
    const { measured, estimates } = splitEstimated(data.positions, series);
    return [measured, estimates];
  });
  return [positions, ...columns];
}

export function plotOptions(input: PlotInput): uPlot.Options {
  const { isTime, isStacked, width, height } = input;
  return {
    width,
    height,
    // half of the label at the end of the axis
    padding: [8, isTime ? 24 : 28, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: isTime, range: (_plot, min, max) => axisRange(min, max, isTime) },
      y: { range: valueRange(input) },
    },
    series: [{}, ...plotSeries(input)],
    ...(isStacked && { bands: stackBands(input) }),
    axes: plotAxes(input),
    ...plotEvents(input),
  };
}

function plotEvents(input: PlotInput): Pick<uPlot.Options, 'cursor' | 'hooks'> {
  const { onHover, onZoom, onDraw, isTime } = input;
  const ms = scaleOf(isTime);
  return {
    cursor: {
      y: false,
      lock: true,
      points: { size: 7 },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          onZoom(undefined);
          return null;
        },
      },
    },
    hooks: {
      setCursor: [(plot) => onHover(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width: selected } = plot.select;
          if (selected <= 0) return;
          onZoom({
            from: plot.posToVal(left, 'x') * ms,
            to: plot.posToVal(left + selected, 'x') * ms,
          });
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      draw: [(plot) => drawMarks(plot, input), onDraw],
    },
  };
}

/** Amounts and areas are compared with nothing; prices and rates with each other. */
function valueRange({ data: { unit, series }, isStacked }: PlotInput): uPlot.Scale.Range {
  const hasArea = isStacked || series.some(({ isArea }) => isArea);
  if (hasArea || unit === 'usd' || unit === 'number') return rangeFromZero;
  // without values, uPlot passes null
  return (_plot, min: number | null, max: number | null) =>
    min === null || max === null ? [null, null] : closeRange(min, max);
}

const rangeFromZero: uPlot.Scale.Range = {
  min: { pad: 0, soft: 0, mode: 1 },
  max: { pad: 0.1, soft: 0, mode: 1 },
};

/** Half the width of an axis with one point: half a day, or five percent. */
const POINT_MARGIN = { time: 43_200, fraction: 0.05 };

function axisRange(min: number, max: number, isTime: boolean): [number, number] {
  const margin = max > min ? 0 : POINT_MARGIN[isTime ? 'time' : 'fraction'];
  return [min - margin, max + margin];
}

function plotSeries({ data, isStacked, palette }: PlotInput): uPlot.Series[] {
  return data.series.flatMap((series, index) => {
    // in a stack, bands fill the space above the lowest series
    const isFilled = isStacked ? index === 0 : series.isArea === true;
    const solid = lineStyle(series, palette, isFilled);
    if (isStacked || series.estimated === undefined) return [solid];
    return [solid, { ...solid, dash: DASH }];
  });
}

function lineStyle(series: ChartSeries, palette: Palette, isFilled: boolean): uPlot.Series {
  const stroke = palette.series(series.color);
  const fill = isFilled ? { fill: withOpacity(stroke, AREA_OPACITY) } : {};
  return {
    label: series.label,
    stroke,
    width: 1.5,
    spanGaps: false,
    points: { show: false },
    ...fill,
  };
}

/** Each series but the lowest fills the space above the one before it. */
function stackBands({ data, palette }: PlotInput): uPlot.Band[] {
  return data.series.slice(1).map(({ color }, index) => ({
    series: [index + 2, index + 1] as [number, number],
    fill: withOpacity(palette.series(color), AREA_OPACITY),
  }));
}

function plotAxes({ data, isTime, palette }: PlotInput): uPlot.Axis[] {
  const shared: uPlot.Axis = {
    stroke: palette.text,
    font: FONT,
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
  };
  const tick = (value: number, step: number): string =>
    isTime ? formatTimeTick(value * 1000, step * 1000) : formatTick(value, 'percent');
  return [
    {
      ...shared,
      grid: { show: false },
      space: 72,
      // the first label is under the lowest one of the other axis
      gap: 12,
      size: 32,
      values: (...[, values, , , step]) => values.map((value) => tick(value, step)),
    },
    {
      ...shared,
      size: 64,
      gap: 8,
      values: (_plot, values) => values.map((value) => formatTick(value, data.unit)),
    },
  ];
}

/** A vertical line with a dot at its top for each mark. */
function drawMarks(plot: uPlot, { marks, palette, isTime }: PlotInput): void {
  const { ctx, bbox } = plot;
  ctx.save();
  for (const { at, tone } of marks) {
    const x = plot.valToPos(at / scaleOf(isTime), 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = palette[tone];
    ctx.fillStyle = palette[tone];
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x, bbox.top + 4 * devicePixelRatio, 4 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
