import type { Labels, MetricValues } from '../http/process-metrics.ts';

export type WorkerMetrics = { readonly worker: string; readonly metrics: readonly MetricValues[] };

/** The metrics of several processes: each sample gets the label `worker`. */
export function mergeMetrics(processes: readonly WorkerMetrics[]): readonly MetricValues[] {
  const merged = new Map<string, MetricValues>();
  for (const { worker, metrics } of processes) {
    for (const metric of metrics) {
      const labelled = withWorker(metric, worker);
      merged.set(metric.name, join(merged.get(metric.name), labelled));
    }
  }
  return [...merged.values()];
}

/** All processes declare a metric with the same type. */
function join(before: MetricValues | undefined, metric: MetricValues): MetricValues {
  if (before?.type === 'histogram') {
    return metric.type === 'histogram'
      ? { ...before, samples: [...before.samples, ...metric.samples] }
      : before;
  }
  if (before === undefined || metric.type === 'histogram') return metric;
  return { ...before, samples: [...before.samples, ...metric.samples] };
}

function withWorker(metric: MetricValues, worker: string): MetricValues {
  const label = <Sample extends { readonly labels?: Labels }>(sample: Sample) => ({
    ...sample,
    labels: { worker, ...sample.labels },
  });
  return metric.type === 'histogram'
    ? { ...metric, samples: metric.samples.map(label) }
    : { ...metric, samples: metric.samples.map(label) };
}
