import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../components/current-theme.ts';
import { query, setQuery } from '../routing/location.ts';
import { readPalette } from './canvas-colors.ts';
import type { ChartData, ChartMark } from './chart-data.ts';
import { type PlotInput, plotData, plotOptions } from './plot-options.ts';

type PlotProps = {
  readonly id: string;
  readonly data: ChartData;
  readonly isTime: boolean;
  readonly isStacked: boolean;
  readonly marks: readonly ChartMark[];
  readonly height: number;
};

export type PlotRef = { current: uPlot | undefined };

type Zoom = { readonly from: number; readonly to: number };

/** The brushed part of a chart, which the URL holds as `<id>.zoom`. */
export function useZoom(id: string) {
  const name = `${id}.zoom`;
  const [from = Number.NaN, to = Number.NaN] = (query.value.get(name) ?? '').split('_').map(Number);
  return {
    zoom: from < to ? { from, to } : undefined,
    setZoom: (zoom: Zoom | undefined): void => setQuery({ [name]: zoom && toText(zoom) }),
  };
}

/** Times are in milliseconds, other positions are fractions. */
const toText = ({ from, to }: Zoom): string =>
  [from, to].map((value) => (value > 1 ? Math.round(value) : value.toFixed(4))).join('_');

/** Creates the plot in `frame`, and again if its form or the theme changes; other data is only replaced. */
export function usePlot(props: PlotProps, onHover: PlotInput['onHover']) {
  const { id, data, isTime, height } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const timer = useRef(new DrawTimer(id));
  const { zoom, setZoom } = useZoom(id);
  const form = formOf(props);
  const input = (element: HTMLElement): PlotInput => ({
    ...props,
    palette: readPalette(element),
    width: element.clientWidth,
    onHover,
    onZoom: setZoom,
    onDraw: () => timer.current.end(),
  });
  // the form has everything that needs another plot
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    timer.current.start();
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
    timer.current.start();
    plot.current.setData(plotData(input(element)));
    const ms = isTime ? 1000 : 1;
    if (zoom !== undefined) plot.current.setScale('x', { min: zoom.from / ms, max: zoom.to / ms });
  }, [data, form, zoom?.from, zoom?.to]);
  return { frame, plot };
}

const formOf = ({ data, isStacked, height, marks }: PlotProps): string =>
  JSON.stringify([
    data.unit,
    data.series.map(({ label, color, isArea, estimated }) => [
      label,
      color,
      isArea,
      estimated !== undefined,
    ]),
    [theme.value, isStacked, height, marks],
  ]);

/** Time from data to pixels, in the browser's list of measures as `chart <id>`: the newest one of each chart. */
class DrawTimer {
  readonly #name: string;
  #startedAt: number | undefined;

  constructor(id: string) {
    this.#name = `chart ${id}`;
  }

  start(): void {
    this.#startedAt ??= performance.now();
  }

  end(): void {
    if (this.#startedAt === undefined) return;
    performance.clearMeasures(this.#name);
    performance.measure(this.#name, { start: this.#startedAt });
    this.#startedAt = undefined;
  }
}
