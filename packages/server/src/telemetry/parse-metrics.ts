type Labels = Readonly<Record<string, string>>;

type Sample = { readonly labels: Labels; readonly value: number };

type Histogram = {
  readonly labels: Labels;
  /** Upper bounds; the last bucket has none. */
  readonly bounds: readonly number[];
  /** Per bucket, not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
};

/** A metric of the Prometheus text format. */
export type ParsedMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
  readonly histograms: readonly Histogram[];
};

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i;
const LABEL = /([a-z_][a-z0-9_]{0,63})="((?:[^"\\]|\\.)*)"/gi;

/** Parses what `/metrics` serves. Values that are not numbers are left out. */
export function parseMetrics(text: string): readonly ParsedMetric[] {
  const blocks = text.split(/^(?=# HELP )/m).filter((block) => block.startsWith('# HELP '));
  return blocks.flatMap((block): readonly ParsedMetric[] => {
    const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/m.exec(block) ?? [];
    const [, type = 'gauge'] = /^# TYPE \S+ (\S+)$/m.exec(block) ?? [];
    const lines = block.split('\n').flatMap(parseLine);
    if (type === 'histogram') {
      return [{ name, help, type, samples: [], histograms: joinBuckets(name, lines) }];
    }
    if (type !== 'counter' && type !== 'gauge') return [];
    const samples = lines.map(({ labels, value }) => ({ labels, value }));
    return [{ name, help, type, samples, histograms: [] }];
  });
}

type Line = Sample & { readonly name: string };

function parseLine(line: string): readonly Line[] {
  const [, name = '', labelText = '', valueText = ''] = LINE.exec(line) ?? [];
  const value = Number(valueText);
  if (name === '' || !Number.isFinite(value)) return [];
  const labels = Object.fromEntries(
    [...labelText.matchAll(LABEL)].map(([, key = '', text = '']) => [key, unescapeLabel(text)]),
  );
  return [{ name, labels, value }];
}

const unescapeLabel = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));

/** The lines of a series: buckets with cumulative counts in order, then the sum. */
function joinBuckets(name: string, lines: readonly Line[]): readonly Histogram[] {
  const series = new Map<
    string,
    { labels: Labels; bounds: number[]; totals: number[]; sum: number }
  >();
  for (const line of lines) {
    const { le, ...labels } = line.labels;
    const key = JSON.stringify(labels);
    const found = series.get(key) ?? { labels, bounds: [], totals: [], sum: 0 };
    series.set(key, found);
    if (line.name === `${name}_sum`) found.sum = line.value;
    if (line.name !== `${name}_bucket`) continue;
    found.totals.push(line.value);
    if (le !== '+Inf') found.bounds.push(Number(le));
  }
  return [...series.values()].map(({ labels, bounds, totals, sum }) => ({
    labels,
    bounds,
    counts: totals.map((total, index) => total - (totals[index - 1] ?? 0)),
    sum,
  }));
}
