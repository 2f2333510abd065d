import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Interval } from '../api/freshness.ts';
import { Icon } from '../components/icon.tsx';
import { theme } from '../components/theme.ts';
import { query, setQuery } from '../routing/location.ts';
import { breakAtGaps, type ChartData, type ChartMark, toCsv } from './chart-data.ts';
import { download, toPng } from './download.ts';
import { readPalette } from './palette.ts';
import { type PlotInput, plotData, plotOptions } from './plot-options.ts';
import { Readout } from './readout.tsx';
import './chart.css';

export type ChartProps = {
  /** Name of the chart in the URL, where its zoom is, and of downloaded files. */
  readonly id: string;
  /** For screen readers: what the chart shows. */
  readonly label: string;
  readonly data: ChartData;
  /** `time`, or the name of another horizontal axis whose positions are fractions. */
  readonly axis?: string;
  readonly isStacked?: boolean;
  /** Intervals that were not recorded. */
  readonly gaps?: readonly Interval[];
  readonly marks?: readonly ChartMark[];
  /** Position whose values are shown without a crosshair; the last one by default. */
  readonly restIndex?: number;
  /** Pixels. */
  readonly height?: number;
  /** Beside the buttons, such as a choice of the range. */
  readonly actions?: ComponentChildren;
};

const DEFAULT_HEIGHT = 240;

/**
 * Lines or areas over time. Gaps stay gaps and estimates are dashed. The crosshair shows exact values; drag to zoom, double
 * click to reset; arrow keys move the crosshair.
 */
export function Chart(props: ChartProps) {
  const { id, label, axis = 'time', gaps, height = DEFAULT_HEIGHT, marks = [] } = props;
  const gapsKey = JSON.stringify(gaps);
  // another list of the same gaps is the same chart
  const data = useMemo(
    () => (axis === 'time' ? breakAtGaps(props.data, gaps) : props.data),
    [props.data, gapsKey, axis],
  );
  const [hovered, setHovered] = useState<number | null>(null);
  const { frame, plot } = usePlot({ ...props, data, axis, marks, height }, setHovered);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Escape') setQuery({ [`${id}.zoom`]: undefined });
    if (step === undefined || plot.current === undefined) return;
    event.preventDefault();
    moveCrosshair(plot.current, (hovered ?? props.restIndex ?? data.positions.length - 1) + step);
  };
  return (
    <figure class="chart">
      <div class="chart-head">
        <Readout
          data={data}
          axis={axis}
          index={hovered ?? props.restIndex ?? data.positions.length - 1}
          marks={marks}
        />
        <div class="chart-actions">
          {props.actions}
          <Downloads name={id} data={props.data} axis={axis} plot={plot} />
        </div>
      </div>
      <div
        ref={frame}
        class="chart-plot"
        style={{ height: `${height}px` }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the crosshair
        tabIndex={0}
        role="img"
        aria-label={`${label}. Arrow keys read single values.`}
        onKeyDown={move}
        onBlur={() => setHovered(null)}
      />
    </figure>
  );
}

type PlotProps = ChartProps &
  Required<Pick<ChartProps, 'axis' | 'marks' | 'height'>> & { readonly data: ChartData };

type Zoom = { readonly from: number; readonly to: number };

function parseZoom(text: string | null): Zoom | undefined {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '').split('_').map(Number);
  return from < to ? { from, to } : undefined;
}

/** Creates the plot in `frame`, and again if its form or the theme changes; other data is only replaced. */
function usePlot(props: PlotProps, onHover: (index: number | null) => void) {
  const { id, data, axis, isStacked = false, marks, height } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const isTime = axis === 'time';
  const name = `${id}.zoom`;
  const zoom = parseZoom(query.value.get(name));
  const form = JSON.stringify([
    data.unit,
    data.series.map(({ label, color, isArea, estimated }) => [
      label,
      color,
      isArea,
      estimated !== undefined,
    ]),
    [theme.value.effective, isStacked, height, marks],
  ]);
  const input = (element: HTMLElement): PlotInput => ({
    ...{ data, isTime, isStacked, marks, height, onHover },
    palette: readPalette(element),
    width: element.clientWidth,
    onZoom: (range) =>
      setQuery({ [name]: range && `${Math.round(range.from)}_${Math.round(range.to)}` }),
  });
  // the form has everything that needs another plot
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const first = input(element);
    const created = new uPlot(plotOptions(first), plotData(first), element);
    plot.current = created;
    const observer = new ResizeObserver(() =>
      created.setSize({ width: element.clientWidth, height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
      plot.current = undefined;
    };
  }, [form]);
  // data and zoom are all that a plot is updated with
  useEffect(() => {
    const element = frame.current;
    if (plot.current === undefined || element === null) return;
    plot.current.setData(plotData(input(element)));
    const ms = isTime ? 1000 : 1;
    if (zoom !== undefined) plot.current.setScale('x', { min: zoom.from / ms, max: zoom.to / ms });
  }, [data, form, zoom?.from, zoom?.to]);
  return { frame, plot };
}

function moveCrosshair(plot: uPlot, index: number): void {
  const position = plot.data[0][Math.max(0, Math.min(plot.data[0].length - 1, index))];
  if (position !== undefined) plot.setCursor({ left: plot.valToPos(position, 'x'), top: 0 });
}

type DownloadProps = {
  readonly name: string;
  readonly data: ChartData;
  readonly axis: string;
  readonly plot: { readonly current: uPlot | undefined };
};

function Downloads({ name, data, axis, plot }: DownloadProps) {
  const saveCsv = (): void =>
    download(`${name}.csv`, new Blob([toCsv(data, axis)], { type: 'text/csv' }));
  const savePng = async (): Promise<void> => {
    if (plot.current === undefined) return;
    const { ctx, root } = plot.current;
    download(`${name}.png`, await toPng(ctx.canvas, readPalette(root).surface));
  };
  return (
    <>
      <button
        type="button"
        class="quiet-button"
        onClick={saveCsv}
        data-hint="Download all digits as a table"
      >
        <Icon name="download" /> CSV
      </button>
      <button
        type="button"
        class="quiet-button"
        onClick={() => void savePng()}
        data-hint="Download as an image"
      >
        <Icon name="download" /> PNG
      </button>
    </>
  );
}
