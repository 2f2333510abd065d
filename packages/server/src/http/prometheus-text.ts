export type MetricSample = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
};

export type Metric = {
  /** In base units, with the unit as a suffix; `_total` for a counter. */
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  /** Called for each scrape. */
  readonly read: () => readonly MetricSample[];
};

export type HistogramSample = {
  readonly labels: Readonly<Record<string, string>>;
  /** Upper bounds. */
  readonly bounds: readonly number[];
  /** Per bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: readonly number[];
  readonly sum: number;
};

export type HistogramMetric = {
  readonly name: string;
  readonly help: string;
  /** Called for each scrape. */
  readonly read: () => readonly HistogramSample[];
};

/** The lines of a histogram in the Prometheus text format. */
export function formatHistogram({ name, help, read }: HistogramMetric): string[] {
  const lines = formatMetricHead(name, 'histogram', help);
  for (const { labels, bounds, counts, sum } of read()) {
    let total = 0;
    for (const [index, count] of counts.entries()) {
      total += count;
      const le = `${bounds[index] ?? '+Inf'}`;
      lines.push(`${name}_bucket${formatLabels({ ...labels, le })} ${total}`);
    }
    const series = formatLabels(labels);
    lines.push(`${name}_sum${series} ${sum}`, `${name}_count${series} ${total}`);
  }
  return lines;
}

/** The lines of a metric in the Prometheus text format. */
export function formatMetric({ name, type, help, read }: Metric): string[] {
  const samples = read().map(({ labels, value }) => `${name}${formatLabels(labels)} ${value}`);
  return [...formatMetricHead(name, type, help), ...samples];
}

export function formatMetricHead(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

export function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatLabels(labels: MetricSample['labels']): string {
  if (labels === undefined) return '';
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join()}}`;
}
