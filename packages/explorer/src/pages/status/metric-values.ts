/** The values of the samples of the Prometheus text format, by name. */
export type MetricValues = ReadonlyMap<string, readonly number[]>;

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{[^}]*\})?\s+(\S+)/;

export function parseMetrics(text: string): MetricValues {
  const values = new Map<string, number[]>();
  for (const line of text.split('\n')) {
    const [, name, value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) continue;
    values.set(name, [...(values.get(name) ?? []), Number(value)]);
  }
  return values;
}

/** Undefined if the process does not have the metric. */
export const totalOf = (values: MetricValues, name: string): number | undefined =>
  values.get(name)?.reduce((sum, value) => sum + value, 0);

export function largestOf(values: MetricValues, name: string): number | undefined {
  const list = values.get(name);
  return list && Math.max(...list);
}

/** Part of the requests that a cache answered, as a fraction; undefined before the first. */
export function hitRate(values: MetricValues, cache: string): string | undefined {
  const hits = totalOf(values, `tidegate_${cache}_hits_total`) ?? 0;
  const misses = totalOf(values, `tidegate_${cache}_misses_total`) ?? 0;
  return hits + misses === 0 ? undefined : String(hits / (hits + misses));
}
