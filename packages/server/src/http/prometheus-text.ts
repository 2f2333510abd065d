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
