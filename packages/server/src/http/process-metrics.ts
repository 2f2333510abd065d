import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  escapeLabel,
  formatHistogram,
  formatMetric,
  formatMetricHead,
  type HistogramMetric,
  type Metric,
} from './prometheus-text.ts';

/** Upper bounds in seconds. Most responses take microseconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type RequestObservation = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
};

type Series = {
  readonly labels: string;
  /** Requests per bucket; the last bucket has no upper bound. */
  readonly counts: Float64Array;
  sum: number;
};

/** Metrics of this process in the Prometheus text format. */
export class ProcessMetrics {
  /** By route, method and status. Nested maps avoid building a key per request. */
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();
  readonly #rateLimited = new Map<string, number>();
  /** By id. Keys are created by the operator, so their number is bounded. */
  readonly #keyRequests = new Map<string, number>();
  readonly #metrics: Metric[] = [];
  readonly #histograms: HistogramMetric[] = [];
  readonly #eventLoop = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#eventLoop.enable();
  }

  close(): void {
    this.#eventLoop.disable();
  }

  observe({ method, route, status, ms }: RequestObservation): void {
    const seconds = ms / 1000;
    const series =
      this.#series.get(route)?.get(method)?.get(status) ??
      this.#createSeries({ method, route, status });
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  countRateLimited(policy: string): void {
    this.#rateLimited.set(policy, (this.#rateLimited.get(policy) ?? 0) + 1);
  }

  countKeyRequest(keyId: string): void {
    this.#keyRequests.set(keyId, (this.#keyRequests.get(keyId) ?? 0) + 1);
  }

  register(metric: Metric): void {
    this.#metrics.push(metric);
  }

  registerHistogram(histogram: HistogramMetric): void {
    this.#histograms.push(histogram);
  }

  gauge(name: string, help: string, read: () => number): void {
    this.register({ name, type: 'gauge', help, read: () => [{ value: read() }] });
  }

  counter(name: string, help: string, read: () => number): void {
    this.register({ name, type: 'counter', help, read: () => [{ value: read() }] });
  }

  text(): string {
    const lines = [
      ...this.#histogramLines(),
      ...this.#callerLines(),
      ...this.#processLines(),
      ...this.#metrics.flatMap(formatMetric),
      ...this.#histograms.flatMap(formatHistogram),
    ];
    return `${lines.join('\n')}\n`;
  }

  #createSeries({ method, route, status }: Omit<RequestObservation, 'ms'>): Series {
    const series: Series = {
      labels: `method="${escapeLabel(method)}",route="${escapeLabel(route)}",status="${status}"`,
      counts: new Float64Array(BUCKETS.length + 1),
      sum: 0,
    };
    const methods = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    const statuses = methods.get(method) ?? new Map<number, Series>();
    this.#series.set(route, methods.set(method, statuses.set(status, series)));
    return series;
  }

  #allSeries(): Series[] {
    return [...this.#series.values()].flatMap((methods) =>
      [...methods.values()].flatMap((statuses) => [...statuses.values()]),
    );
  }

  #histogramLines(): string[] {
    const name = 'tidegate_http_request_duration_seconds';
    const lines = formatMetricHead(name, 'histogram', 'Time from request to response.');
    for (const { labels, counts, sum } of this.#allSeries()) {
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        lines.push(`${name}_bucket{${labels},le="${BUCKETS[index] ?? '+Inf'}"} ${total}`);
      }
      lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`);
    }
    return lines;
  }

  #callerLines(): string[] {
    const samplesOf = (label: string, counts: ReadonlyMap<string, number>) => () =>
      [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }));
    return [
      ...formatMetric({
        name: 'tidegate_rate_limit_refusals_total',
        type: 'counter',
        help: 'Requests rejected with 429, by policy.',
        read: samplesOf('policy', this.#rateLimited),
      }),
      ...formatMetric({
        name: 'tidegate_api_key_requests_total',
        type: 'counter',
        help: 'Requests with a valid API key, by the id of the key.',
        read: samplesOf('key', this.#keyRequests),
      }),
    ];
  }

  /** The event loop lag covers the time since the last scrape. */
  #processLines(): string[] {
    const lag = this.#eventLoop;
    const memory = process.memoryUsage();
    const name = 'tidegate_event_loop_lag_seconds';
    const quantiles = [50, 99, 100].map(
      (percent) => `${name}{quantile="${percent / 100}"} ${lag.percentile(percent) / 1e9}`,
    );
    lag.reset();
    return [
      ...formatMetricHead(name, 'gauge', 'Delay of timers since the last scrape.'),
      ...quantiles,
      ...formatMetricHead('process_resident_memory_bytes', 'gauge', 'Resident memory.'),
      `process_resident_memory_bytes ${memory.rss}`,
      ...formatMetricHead('nodejs_heap_size_used_bytes', 'gauge', 'JavaScript heap in use.'),
      `nodejs_heap_size_used_bytes ${memory.heapUsed}`,
      ...formatMetricHead(
        'nodejs_external_memory_bytes',
        'gauge',
        'Memory of buffers outside the heap.',
      ),
      `nodejs_external_memory_bytes ${memory.external}`,
      ...formatMetricHead('process_cpu_seconds_total', 'counter', 'CPU time of this process.'),
      `process_cpu_seconds_total ${cpuSeconds()}`,
    ];
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
