import { expect, test } from 'vitest';
import type { MetricValues } from '../http/process-metrics.ts';
import { formatMetrics } from '../http/prometheus-text.ts';
import { mergeMetrics } from './merge-metrics.ts';

const metricsOf = (value: number): readonly MetricValues[] => [
  { name: 'up', type: 'gauge', help: 'Whether it runs.', samples: [{ value }] },
  {
    name: 'calls_total',
    type: 'counter',
    help: 'Calls.',
    samples: [{ labels: { route: '/a b', status: '200' }, value }],
  },
  {
    name: 'time',
    type: 'histogram',
    help: 'Time.',
    samples: [{ labels: { route: '/"' }, bounds: [0.5], counts: [value, 1], sum: 2.5 }],
  },
];

const own: MetricValues = { name: 'own', type: 'gauge', help: 'Own.', samples: [] };

test('samples of a metric stay together, with the process that they belong to', () => {
  const merged = mergeMetrics([
    { worker: '1', metrics: metricsOf(3) },
    { worker: 'primary', metrics: [...metricsOf(5), own] },
  ]);
  expect(formatMetrics(merged)).toBe(`# HELP up Whether it runs.
# TYPE up gauge
up{worker="1"} 3
up{worker="primary"} 5
# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{worker="1",route="/a b",status="200"} 3
calls_total{worker="primary",route="/a b",status="200"} 5
# HELP time Time.
# TYPE time histogram
time_bucket{worker="1",route="/\\"",le="0.5"} 3
time_bucket{worker="1",route="/\\"",le="+Inf"} 4
time_sum{worker="1",route="/\\""} 2.5
time_count{worker="1",route="/\\""} 4
time_bucket{worker="primary",route="/\\"",le="0.5"} 5
time_bucket{worker="primary",route="/\\"",le="+Inf"} 6
time_sum{worker="primary",route="/\\""} 2.5
time_count{worker="primary",route="/\\""} 6
# HELP own Own.
# TYPE own gauge
`);
});
