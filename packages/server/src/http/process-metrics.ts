import { monitorEventLoopDelay } from 'node:perf_hooks';

export type Labels = Readonly<Record<string, string>>;

export type MetricSample = { readonly labels?: Labels; readonly value: number };

export type HistogramSample = {
  readonly labels: Labels;
  /** Upper bounds. */
  readonly bounds: readonly number[];
  /** Per bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: readonly number[];
  readonly sum: number;
};

type MetricHead = {
  /** In base units, with the unit as a suffix; `_total` for a counter. */
  readonly name: string;
  readonly help: string;
};

/** A metric as of a scrape. */
export type MetricValues = MetricHead &
  (
    | { readonly type: 'gauge' | 'counter'; readonly samples: readonly MetricSample[] }
    | { readonly type: 'histogram'; readonly samples: readonly HistogramSample[] }
  );

/** `read` is called for each scrape. */
export type Metric = MetricHead & {
  readonly type: 'gauge' | 'counter';
  readonly read: () => readonly MetricSample[];
};

/** `read` is called for each scrape. */
export type HistogramMetric = MetricHead & { readonly read: () => readonly HistogramSample[] };

/** Upper bounds in seconds. Most responses take microseconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type RequestObservation = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
};

type Series = {
  readonly labels: Labels;
  /** Requests per bucket; the last bucket has no upper bound. */
  readonly counts: Float64Array;
  sum: number;
};

/** Metrics of this process. */
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

  /** The event loop lag covers the time since the last call. */
  read(): readonly MetricValues[] {
    return [
      {
        name: 'tidegate_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from request to response.',
        samples: this.#allSeries().map(({ labels, counts, sum }) => ({
          labels,
          bounds: BUCKETS,
          counts: [...counts],
          sum,
        })),
      },
      ...this.#callers(),
      ...this.#process(),
      ...this.#metrics.map(({ name, type, help, read }) => ({ name, type, help, samples: read() })),
      ...this.#histograms.map(({ name, help, read }) => {
        const type = 'histogram' as const;
        return { name, type, help, samples: read() };
      }),
    ];
  }

  #createSeries({ method, route, status }: Omit<RequestObservation, 'ms'>): Series {
    const series: Series = {
      labels: { method, route, status: `${status}` },
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

  #callers(): MetricValues[] {
    const samplesOf = (label: string, counts: ReadonlyMap<string, number>) =>
      [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }));
    return [
      {
        name: 'tidegate_rate_limit_refusals_total',
        type: 'counter',
        help: 'Requests rejected with 429, by policy.',
        samples: samplesOf('policy', this.#rateLimited),
      },
      {
        name: 'tidegate_api_key_requests_total',
        type: 'counter',
        help: 'Requests with a valid API key, by the id of the key.',
        samples: samplesOf('key', this.#keyRequests),
      },
    ];
  }

  #process(): MetricValues[] {
    const lag = this.#eventLoop;
    const { rss, heapUsed, external } = process.memoryUsage();
    const quantiles = [50, 99, 100].map((percent) => ({
      labels: { quantile: `${percent / 100}` },
      value: lag.percentile(percent) / 1e9,
    }));
    lag.reset();
    return [
      {
        name: 'tidegate_event_loop_lag_seconds',
        type: 'gauge',
        help: 'Delay of timers since the last scrape.',
        samples: quantiles,
      },
      gaugeOf('process_resident_memory_bytes', 'Resident memory.', rss),
      gaugeOf('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', heapUsed),
      gaugeOf('nodejs_external_memory_bytes', 'Memory of buffers outside the heap.', external),
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'CPU time of this process.',
        samples: [{ value: cpuSeconds() }],
      },
    ];
  }
}

const gaugeOf = (name: string, help: string, value: number): MetricValues => ({
  name,
  type: 'gauge',
  help,
  samples: [{ value }],
});

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
