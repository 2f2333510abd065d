import type { HistogramSample, Labels, MetricValues } from './process-metrics.ts';

/** The metrics in the Prometheus text format. */
export const formatMetrics = (metrics: readonly MetricValues[]): string =>
  `${metrics.flatMap(linesOf).join('\n')}\n`;

function linesOf(metric: MetricValues): string[] {
  const { name, type, help } = metric;
  const samples =
    metric.type === 'histogram'
      ? metric.samples.flatMap((sample) => histogramLines(name, sample))
      : metric.samples.map(({ labels, value }) => `${name}${formatLabels(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}

function histogramLines(name: string, { labels, bounds, counts, sum }: HistogramSample): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const le = `${bounds[index] ?? '+Inf'}`;
    return `${name}_bucket${formatLabels({ ...labels, le })} ${total}`;
  });
  const series = formatLabels(labels);
  return [...buckets, `${name}_sum${series} ${sum}`, `${name}_count${series} ${total}`];
}

function formatLabels(labels: Labels | undefined): string {
  if (labels === undefined) return '';
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join()}}`;
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
