import type { TimeInterval } from '@tidegate/client';
import { useMemo, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { Icon } from '../components/icon.tsx';
import { readPalette } from './canvas-colors.ts';
import { breakAtGaps, type ChartData, type ChartMark, toCsv } from './chart-data.ts';
import { download, toPng } from './download.ts';
import { Readout } from './readout.tsx';
import { type PlotRef, usePlot, useZoom } from './use-plot.ts';
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
  readonly gaps?: readonly TimeInterval[];
  readonly marks?: readonly ChartMark[];
  /** Position whose values are shown without a crosshair; the last one by default. */
  readonly restIndex?: number;
  /** Pixels. */
  readonly height?: number;
};

const DEFAULT_HEIGHT = 240;

/**
 * Lines or areas over time. Gaps stay gaps and estimates are dashed. The crosshair shows unabbreviated values, and a click
 * holds it in place; drag to zoom, double click to reset; arrow keys move the crosshair, Escape resets.
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
  const { zoom, setZoom } = useZoom(id);
  const { isStacked = false } = props;
  const isTime = axis === 'time';
  const { frame, plot } = usePlot({ id, data, isTime, isStacked, marks, height }, setHovered);
  const rest = props.restIndex ?? data.positions.length - 1;
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Escape') setZoom(undefined);
    if (step === undefined || plot.current === undefined) return;
    event.preventDefault();
    moveCrosshair(plot.current, (hovered ?? rest) + step);
  };
  return (
    <figure class="chart">
      <div class="chart-head">
        <Readout data={data} axis={axis} index={hovered ?? rest} marks={marks} />
        <div class="chart-actions">
          <Downloads name={id} data={props.data} axis={axis} plot={plot} />
        </div>
      </div>
      <div class="chart-body">
        <div
          ref={frame}
          class="chart-plot"
          style={{ height: `${height}px` }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the crosshair
          tabIndex={0}
          role="img"
          aria-label={`${label}. Arrow keys read single values.`}
          onKeyDown={move}
          onBlur={() => !isHeld(plot.current) && setHovered(null)}
        />
        {zoom !== undefined && (
          <button type="button" class="button chart-reset" onClick={() => setZoom(undefined)}>
            <Icon name="retry" /> Reset zoom
          </button>
        )}
      </div>
    </figure>
  );
}

/** Whether a click holds the crosshair in place; uPlot's types lack it. */
const isHeld = (plot: uPlot | undefined): boolean =>
  (plot?.cursor as { readonly _lock?: boolean } | undefined)?._lock === true;

function moveCrosshair(plot: uPlot, index: number): void {
  const position = plot.data[0][Math.max(0, Math.min(plot.data[0].length - 1, index))];
  if (position !== undefined) plot.setCursor({ left: plot.valToPos(position, 'x'), top: 0 });
}

type DownloadProps = {
  readonly name: string;
  readonly data: ChartData;
  readonly axis: string;
  readonly plot: PlotRef;
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
