import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../components/current-theme.ts';
import { readPalette } from './canvas-colors.ts';
import { type ChartValue, toNumber } from './chart-data.ts';
import './chart.css';

type SparklineProps = {
  /** For screen readers. */
  readonly label: string;
  /** At equal distances. */
  readonly values: readonly ChartValue[];
};

const WIDTH = 96;
const HEIGHT = 28;

/** The form of a series in a table cell, without axes. */
export function Sparkline({ label, values }: SparklineProps) {
  const frame = useRef<HTMLDivElement>(null);
  const key = values.join(' ');
  const colours = theme.value;
  // the key has all values, the theme the colours
  useEffect(() => {
    const element = frame.current;
    if (element === null || values.length === 0) return undefined;
    const { series } = readPalette(element);
    const plot = new uPlot(
      {
        width: WIDTH,
        height: HEIGHT,
        padding: [3, 1, 3, 1],
        pxAlign: false,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false } },
        axes: [{ show: false }, { show: false }],
        series: [{}, { stroke: series(1), width: 1.5, points: { show: false } }],
      },
      [values.map((_, index) => index), values.map(toNumber)],
      element,
    );
    return () => plot.destroy();
  }, [key, colours]);
  return <div ref={frame} class="sparkline" role="img" aria-label={label} />;
}
