import { expect, test } from 'vitest';
import { hitRate, largestOf, parseMetrics, totalOf } from './metric-values.ts';

const text = `# HELP tidegate_open_streams Open streams
# TYPE tidegate_open_streams gauge
tidegate_open_streams{kind="state"} 3
tidegate_open_streams{kind="transactions"} 2
tidegate_response_cache_hits_total 75
tidegate_response_cache_misses_total 25
process_cpu_seconds_total 12.5 1700000000000
tidegate_slot{cluster="localnet"} NaN
`;

test('samples of one name are added up, and comments are none', () => {
  const values = parseMetrics(text);
  expect(totalOf(values, 'tidegate_open_streams')).toBe(5);
  expect(largestOf(values, 'tidegate_open_streams')).toBe(3);
  expect(totalOf(values, 'process_cpu_seconds_total')).toBe(12.5);
  expect(totalOf(values, 'tidegate_webhooks')).toBeUndefined();
  expect(values.has('tidegate_slot')).toBe(false);
  expect(values.has('# TYPE')).toBe(false);
});

test('a cache without requests has no hit rate', () => {
  const values = parseMetrics(text);
  expect(hitRate(values, 'response_cache')).toBe('0.75');
  expect(hitRate(values, 'history_cache')).toBeUndefined();
});
