import type { Logger } from '@tidegate/core/base';
import type { MetricValues } from '../http/process-metrics.ts';
import { type Attributes, metricsJson, tracesJson } from './otlp-json.ts';
import type { Span } from './span.ts';

export type OtlpExporterOptions = {
  /** Base URL of the collector, without `/v1/traces`. */
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly hasTraces: boolean;
  readonly hasMetrics: boolean;
  /** Milliseconds between two exports of metrics. */
  readonly metricsIntervalMs: number;
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number;
  readonly log: Logger;
};

const MAX_QUEUED_SPANS = 2_048;
const MAX_BATCH_SPANS = 512;
const TRACES_INTERVAL_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A shutdown does not wait longer for a collector that does not respond. */
const CLOSE_TIMEOUT_MS = 500;

/**
 * Sends spans and metrics to a collector as OTLP over HTTP in JSON. A collector that does not respond costs the spans
 * that do not fit the queue, never memory or time of requests.
 */
export class OtlpExporter {
  readonly #options: OtlpExporterOptions;
  readonly #startMs: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #spans: Span[] = [];
  #readMetrics: (() => readonly MetricValues[]) | undefined;
  #sending: Promise<void> = Promise.resolve();
  #isSending = false;
  #isFailing = false;
  #timeoutMs = REQUEST_TIMEOUT_MS;
  readonly #closing = new AbortController();

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    this.#startMs = options.now();
    const every = (ms: number, run: () => void) => this.#timers.push(setInterval(run, ms).unref());
    every(TRACES_INTERVAL_MS, () => this.#sendSoon());
    every(options.metricsIntervalMs, () => void this.#sendMetrics());
  }

  add(span: Span): void {
    if (!this.#options.hasTraces || this.#spans.length >= MAX_QUEUED_SPANS) return;
    this.#spans.push(span);
    if (this.#spans.length === MAX_BATCH_SPANS) this.#sendSoon();
  }

  exportMetrics(read: () => readonly MetricValues[]): void {
    this.#readMetrics = read;
  }

  /** Sends what is left, once. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const timer = setTimeout(() => this.#closing.abort(), CLOSE_TIMEOUT_MS);
    await this.#sending;
    clearTimeout(timer);
    this.#timeoutMs = CLOSE_TIMEOUT_MS;
    await Promise.all([this.#sendSpans(), this.#sendMetrics()]);
  }

  #sendSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sending = this.#sendSpans().finally(() => {
      this.#isSending = false;
    });
  }

  async #sendSpans(): Promise<void> {
    while (this.#spans.length > 0) {
      const batch = this.#spans.splice(0, MAX_BATCH_SPANS);
      const isSent = await this.#post('v1/traces', tracesJson(batch, this.#options.resource));
      if (!isSent) return;
    }
  }

  async #sendMetrics(): Promise<void> {
    const { hasMetrics, resource, now } = this.#options;
    const metrics = hasMetrics ? this.#readMetrics?.() : undefined;
    if (metrics === undefined) return;
    const times = { startMs: this.#startMs, nowMs: now() };
    await this.#post('v1/metrics', metricsJson(metrics, resource, times));
  }

  #signal(): AbortSignal {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    return this.#timeoutMs === CLOSE_TIMEOUT_MS
      ? timeout
      : AbortSignal.any([timeout, this.#closing.signal]);
  }

  /** Logs the first failure and the first success after it. */
  async #post(path: string, body: unknown): Promise<boolean> {
    const { endpoint, headers, log } = this.#options;
    const { host } = endpoint;
    try {
      const response = await fetch(new URL(path, withSlash(endpoint)), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: this.#signal(),
        // the headers have credentials, and only the operator chooses who gets them
        redirect: 'manual',
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`status ${response.status}`);
      if (this.#isFailing) log.info({ host }, 'telemetry is exported again');
      this.#isFailing = false;
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#isFailing) log.warn({ host, reason }, 'telemetry cannot be exported');
      this.#isFailing = true;
      return false;
    }
  }
}

function withSlash(url: URL): URL {
  const base = new URL(url);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
}
