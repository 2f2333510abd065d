import { expect, test } from 'vitest';
import { mergeMetrics } from './merge-metrics.ts';

const textOf = (value: number) => `# HELP up Whether it runs.
# TYPE up gauge
up ${value}
# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{route="/a b",status="200"} ${value}
`;

test('samples of a metric stay together, with the process that they belong to', () => {
  const merged = mergeMetrics([
    { worker: '1', text: textOf(3) },
    { worker: 'primary', text: `${textOf(5)}# HELP own Own.\n# TYPE own gauge\n` },
  ]);
  expect(merged).toBe(`# HELP up Whether it runs.
# TYPE up gauge
up{worker="1"} 3
up{worker="primary"} 5
# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{worker="1",route="/a b",status="200"} 3
calls_total{worker="primary",route="/a b",status="200"} 5
# HELP own Own.
# TYPE own gauge
`);
});
